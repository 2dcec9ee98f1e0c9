/** The match page put together: each of its parts is bound to what is known of the match. */

import { follow } from "../match/store.js";
import { createSteps } from "../moves/steps.js";
import { createBanner } from "../net/banner.js";
import { createNarration } from "../parts/narration.js";
import { setting } from "../parts/settings.js";
import { bindCopy, bindShare } from "../parts/share.js";
import { createSounds } from "../parts/sound.js";
import { bindWatchers } from "../players/watchers.js";
import { bindActions } from "./actions.js";
import { bindAnnouncements } from "./announcements.js";
import { connect } from "./connection.js";
import { bindDice } from "./dice.js";
import { bindHint } from "./hint.js";
import { bindKeys } from "./keys.js";
import { createLook } from "./look.js";
import { bindNotice, createNotice, idleWords } from "./notice.js";
import { bindOdds } from "./odds.js";
import { bindRematch } from "./rematch.js";
import { bindStanding } from "./standing.js";
import { bindTable } from "./table.js";
import { bindTyping } from "./typing.js";

const id = (/** @type {string} */ name) => /** @type {any} */ (document.getElementById(name));
const root = id("match");

const playSound = createSounds(() => setting("sound") === "on");
const narration = createNarration({ now: id("say-now"), soon: id("say-soon") });
const notice = createNotice(id("notice"), () => idleWords(connection));
const banner = createBanner(id("banner"));
const connection = connect(root.dataset, (status) => {
  banner(status);
  notice.rest();
});
const { store, send, command } = connection;
const addressOf = (/** @type {string} */ match) => location.pathname.replace(root.dataset.match, match);

begin(createLook(store, await import(root.dataset.board)));

/** @param {import("./look.js").Look} look */
function begin(look) {
  const { list: moves, bar } = createSteps(store, narration.soon);
  follow(store, (now, _before, message) => bar.update(now, message));
  bindNotice(notice, connection);
  bindAnnouncements(connection, look, { playSound, narration });

  const board = { root, board: id("board"), controls: id("controls"), confirm: id("confirm") };
  const table = bindTable(board, connection, look, { refuse: notice.refuse, haste: bar.haste });
  const onLow = () => playSound("low-time");
  bindStanding(connection, look, { moves, title: root.dataset.title, moving: table.moving, onLow });
  const { redraw, play } = table;
  const actions = bindActions(id("actions"), connection, look, { redraw, playSound, narration, notice, addressOf });
  look.onShown(bar.rested);
  const hint = bindHint(id("hint"), { send, store, labelOf: look.labelOf });
  follow(store, (now, _before, message) => hint.update(now, message));
  bindTyping({ form: id("command"), answer: id("answer") }, connection, look, { play, resign: actions.resign, hint });

  const crowd = { number: id("watchers"), list: id("watching"), toggle: id("hide-crowd") };
  follow(store, bindWatchers(crowd, (hidden) => command({ type: "hide-crowd", hidden })));
  // Odds, words for the dice and the code of a frame are on the pages of some matches only.
  if (id("odds")) {
    follow(store, bindOdds(id("odds"), () => send({ type: "odds" })));
  }
  bindDice(id("own-words"), connection);
  bindShare(id("share"), narration.soon);
  if (id("embed-code")) {
    bindCopy(id("embed-code"), narration.soon);
  }
  follow(store, ({ live }) => {
    id("score-links").hidden = !live.outcome;
  });
  bindRematch(connection, addressOf);
  const steps = (/** @type {string} */ key) => key.startsWith("Arrow") && moves.key(key);
  bindKeys([steps, actions.hotkey, hint.hotkey, table.hotkey]);
}
