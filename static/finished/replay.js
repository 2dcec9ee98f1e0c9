/** The page of an imported score: the same board and move list as a match, with the plies from the page. */

import { moduleAt } from "../net/module.js";
import { around as within, byId } from "../parts/elements.js";
import { createAround } from "../match-page/around.js";
import { Board } from "../board/board.js";
import { createNotice } from "../match-page/notice.js";
import { createNarration } from "../parts/narration.js";
import { createSteps } from "../moves/steps.js";
import { setting } from "../parts/settings.js";
import { createStore, follow, known, knownAfter, shownPly } from "../match/store.js";
import { whereabouts } from "../match/telling.js";
import { blockedWords, viewOf } from "../match/words.js";

/**
 * @typedef {import("../match/store.js").Store} Store
 * @typedef {import("../match/store.js").Known} Known
 */

const root = byId("match");
const score = JSON.parse(byId("score").textContent ?? "");
// All plies are in the page, so none are missing.
const store = createStore({ ask: () => {} });
store.dispatch({ ...score.snapshot, present: null });
store.dispatch(score.plies);

begin(await moduleAt(root.dataset.board ?? ""));

/** @param {Boards.Module} module */
function begin(module) {
  let turnedBy = 0;
  const get = () => known(store.get());
  const view = () => viewOf(get(), turnedBy, setting("pits"));
  const narration = createNarration({ now: byId("say-soon"), soon: byId("say-soon") });
  const notice = createNotice(byId("notice"), () => "");
  const { list: moves, bar } = createSteps(store);
  const around = createAround(module, { title: root.dataset.title ?? "", moves });
  const board = new Board(byId("board"), byId("controls"), module, {
    onMove: () => notice.refuse(blockedWords(get()) ?? ""),
    onRefusal: notice.refuse,
    speed: () => setting("speed"),
    haste: bar.haste,
    onShown(ply) {
      root.dataset.ply = String(ply);
      around.standing(get(), view());
      bar.rested();
    },
  });
  byId("turn-board").addEventListener("click", () => {
    turnedBy += 1;
    show(get(), false);
  });
  document.addEventListener("keydown", onKey);
  follow(store, changed);

  /** @param {Known} now @param {Store} before @param {import("../match/store.js").Heard} message */
  function changed(now, before, message) {
    notice.rest();
    bar.update(now, message);
    if (message.type === "step") {
      narration.soon(whereabouts(now, module, view()));
    }
    show(now, Math.abs(shownPly(now) - shownPly(before)) > 1);
  }

  /** @param {Known} now @param {boolean} leap */
  function show(now, leap) {
    root.removeAttribute("data-loading");
    around.passing(now, view());
    /** @param {number} number */
    const at = (number) => knownAfter(store.get(), number);
    board.update({ ply: shownPly(now), at, view: view(), waiting: null, blocked: blockedWords(now) }, leap);
  }

  /** Arrow keys step unless a text field has the focus. @param {KeyboardEvent} event */
  function onKey(event) {
    const busy = event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented;
    if (!busy && !within(event, "input, textarea, select, dialog") && event.key.startsWith("Arrow")) {
      moves.key(event.key);
      event.preventDefault();
    }
  }
}
