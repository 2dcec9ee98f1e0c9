/** The entry point of the match page: binds each part to the store. */

import { lastingStorageOrNull } from "../net/storage.js";
import { watches } from "../match/may.js";
import { follow, isKnown, known, shownPly } from "../match/store.js";
import { createSteps } from "../moves/steps.js";
import { createBanner } from "../net/banner.js";
import { moduleAt } from "../net/module.js";
import { byId, findAll } from "../parts/elements.js";
import { setIntroduced } from "../parts/introduced.js";
import { createWakefulness } from "../parts/awake.js";
import { createNarration } from "../parts/narration.js";
import { onChange, setting } from "../parts/settings.js";
import { bindCopy, bindShare } from "../parts/share.js";
import { bindKeys } from "../parts/shortcuts.js";
import { signal, signals } from "../parts/signals.js";
import { soundOf } from "../parts/sound.js";
import { bindActions } from "./actions.js";
import { bindAnnouncements } from "./announcements.js";
import { createCoach } from "./coach.js";
import { connect } from "./connection.js";
import { bindDice } from "./dice.js";
import { bindEnd, bindRematch } from "./end.js";
import { bindHint } from "./hint.js";
import { createLook } from "./look.js";
import { bindNotice, createNotice, idleWords } from "./notice.js";
import { bindStanding } from "./standing.js";
import { bindTable } from "./table.js";
import { bindTyping } from "./typing.js";

const root = byId("match");
const { match: matchId = "", board: address = "", title = "" } = root.dataset;

const narration = createNarration({ now: byId("say-now"), soon: byId("say-soon") });
const notice = createNotice(byId("notice"), () => idleWords(connection));
const banner = createBanner(byId("banner"));
const connection = connect(root.dataset, (status, detail) => {
  banner(status, detail);
  notice.rest();
});
const { store, send, command } = connection;
const addressOf = (/** @type {string} */ match) => location.pathname.replace(matchId, match);

showTyping();
onChange(showTyping);
const look = createLook(store, await moduleAt(address));
/** Resolves when the board is drawn; optional modules are loaded then. @type {Promise<number>} */
export const boardShown = new Promise((done) => look.onShown(done));
begin(look);

/** A setting keeps the text box open. */
function showTyping() {
  root.toggleAttribute("data-typing", setting("typing") === "on");
}

/** @param {import("./look.js").Look} look */
function begin(look) {
  const { list: moves, bar } = createSteps(store, narration.soon);
  follow(store, (now, _before, message) => bar.update(now, message));
  bindNotice(notice, connection);
  bindAnnouncements(connection, look, { signal, narration });

  const board = { root, board: byId("board"), controls: byId("controls"), confirm: byId("confirm") };
  const coach = createCoach(document.getElementById("coach"), connection, look, lastingStorageOrNull());
  const onEvents = (/** @type {Boards.Event[]} */ events) => signals(events.map(({ kind }) => soundOf(look.module, kind)));
  /** @type {import("./table.js").Planned|null} */
  let planned = null;
  const plan = () => planned;
  const onBoard = { refuse: notice.refuse, tell: notice.tell, taken: notice.rest, selected: narration.soon, haste: bar.haste, advised: () => coach.advice()?.move ?? null, onEvents, plan };
  const table = bindTable(board, connection, look, onBoard);
  const onLow = () => signal("low-time");
  bindStanding(connection, look, { moves, title, moving: table.moving, onLow });
  const { redraw, play } = table;
  const actions = bindActions(root, connection, look, { redraw, playSound: signal, narration, notice, addressOf });
  look.onShown(bar.rested);
  const hint = bindHint(document.getElementById("hint"), { send, store, labelOf: look.labelOf, coached: coach.advice });
  follow(store, (now, _before, message) => hint.update(now, message));
  coach.onClose(() => {
    table.redraw();
    hint.dress();
  });
  const typing = {
    form: byId("command", HTMLFormElement),
    answer: byId("answer"),
    open: byId("type-move"),
  };
  const typed = bindTyping(typing, connection, look, { play, resign: actions.resign, hint });

  // Only some match pages have client seeds and embed codes.
  bindDice(findAll(root, "#own-words", HTMLFormElement).at(0) ?? null, connection);
  bindShare(byId("share"), narration.soon);
  const code = document.getElementById("embed-code");
  if (code) {
    bindCopy(code, narration.soon);
  }
  follow(store, ({ live }) => {
    byId("score-links").hidden = !live.outcome;
  });
  bindRematch(connection, addressOf);
  bindScreen();
  void boardShown.then(() => {
    if (!watches(store.get())) {
      setIntroduced(lastingStorageOrNull(), root.dataset.game ?? "");
    }
  });
  const steps = (/** @type {string} */ key) => key.startsWith("Arrow") && moves.key(key);
  void bindConditionalMoves();

  /** Only the pages of players in correspondence matches have this element. */
  async function bindConditionalMoves() {
    const place = document.getElementById("conditional-bar");
    if (place) {
      const { bindConditional } = await moduleAt(import.meta.resolve("../actions/conditional.js"));
      const parts = { board: byId("board"), bar: place, plan: byId("plan"), dialog: byId("conditional", HTMLDialogElement) };
      planned = bindConditional(parts, store, { view: look.view, nameOf: look.nameOf, redraw, refuse: notice.refuse });
    }
  }

  /** @type {(key: string) => boolean} */
  let modes = () => false;
  /** @type {(key: string) => boolean} */
  let why = () => false;
  void boardShown.then(async () => {
    /** @type {typeof import("./later.js")} */
    const { bindModes, bindWatchers } = await moduleAt(import.meta.resolve("../match-page/later.js"));
    const toggle = findAll(root, "#hide-crowd", HTMLInputElement).at(0) ?? null;
    const crowd = { number: byId("watchers"), list: byId("watching"), toggle };
    follow(store, bindWatchers(crowd, (/** @type {boolean} */ hidden) => command({ type: "hide-crowd", hidden })));
    modes = bindModes(root.dataset.later, () => setting("sound") === "on", onChange);
    // Only hosts of hot-seat matches have the first element, only opponents of the lowest level the second.
    const [turning, asking] = ["turning", "why"].map((id) => document.getElementById(id));
    if (turning) {
      const { bindTurning } = await moduleAt(import.meta.resolve("../actions/turning.js"));
      const onTurn = (/** @type {number} */ seat) => {
        look.face(seat);
        redraw();
      };
      const nearest = () => look.view().bottom;
      bindTurning(turning, { store, nearest, onTurn, onShown: look.onShown, storage: lastingStorageOrNull() });
    }
    if (asking) {
      const { bindWhy } = await moduleAt(import.meta.resolve("../actions/why.js"));
      why = bindWhy(asking, { ply: () => shownPly(known(store.get())), tell: notice.tell });
    }
  });

  const closeEnd = bindEnd(connection, look, narration.soon);
  bindKeys([table.escape, steps, actions.hotkey, hint.hotkey, table.hotkey, typed, more, closeEnd, (key) => modes(key), (key) => why(key)]);
}

/** @param {string} key @returns {boolean} whether the key opened the menu */
function more(key) {
  const wanted = key.toLowerCase() === "m";
  if (wanted) {
    byId("more", HTMLDialogElement).showModal();
  }
  return wanted;
}

/** Keep the screen on for players during a live match. */
function bindScreen() {
  const stayAwake = createWakefulness();
  const settle = () => {
    const { live, match, flags } = store.get();
    const playing = !watches(store.get()) && isKnown(store.get()) && !live.outcome && !flags.halted;
    stayAwake(playing && !match?.clock?.per_move && setting("awake") === "on");
  };
  settle();
  follow(store, settle);
  onChange(settle);
}
