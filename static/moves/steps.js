/** The moves on a page: the list with the bar below it. */

import { myTurn } from "../match/may.js";
import { byId, find } from "../parts/elements.js";
import { MoveList } from "./list.js";
import { createReplayBar } from "./replay-bar.js";
import { bindSwipe } from "./swipe.js";

/** @param {string} name */
const button = (name) => byId(name, HTMLButtonElement);

/**
 * @param {{get: () => import("../match/store.js").Store, dispatch: (message: import("../match/store.js").Message) =>
 *   void}} store
 * @param {(sentence: string) => void} [say] shows the result of copying an address
 */
export function createSteps(store, say) {
  const moves = byId("moves");
  const section = /** @type {HTMLElement} */ (moves.closest("section"));
  const list = new MoveList(
    {
      list: moves,
      heads: byId("turns-names"),
      buttons: { first: button("first"), previous: button("previous"), next: button("next"), last: button("last") },
      live: button("live"),
    },
    (to) => store.dispatch({ type: "step", to }),
  );
  bindPanel(section);
  // No swipes on my turn: a slipped finger must not leave the position.
  const may = () => store.get().cursor !== null || !myTurn(store.get());
  bindSwipe(byId("board"), { may, onSwipe: (way) => list.go(way) });
  const bar = createReplayBar(section, list, { get: store.get, dispatch: store.dispatch, say });
  return { list, bar };
}

/** On small screens a button opens the list. @param {HTMLElement} section */
export function bindPanel(section) {
  const toggle = find(section, "#moves-toggle");
  /** @param {boolean} open */
  function show(open) {
    section.toggleAttribute("data-open", open);
    toggle.setAttribute("aria-expanded", String(open));
  }
  toggle.addEventListener("click", () => show(!section.hasAttribute("data-open")));
  section.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && section.hasAttribute("data-open")) {
      show(false);
      toggle.focus();
    }
  });
}
