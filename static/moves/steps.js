/** The moves on a page, and the way through them: the list with the bar below it. */

import { byId } from "../parts/elements.js";
import { MoveList } from "./list.js";
import { createReplayBar } from "./replay-bar.js";

/** @param {string} name */
const button = (name) => byId(name, HTMLButtonElement);

/**
 * @param {{get: () => import("../match/store.js").Store, dispatch: (message: import("../match/store.js").Message) => void}} store
 * @param {(sentence: string) => void} [say] what comes of copying the address of a position
 */
export function createSteps(store, say) {
  const moves = byId("moves");
  const section = /** @type {HTMLElement} */ (moves.closest("section"));
  const list = new MoveList(
    {
      list: moves,
      buttons: { first: button("first"), previous: button("previous"), next: button("next"), last: button("last") },
      live: button("live"),
    },
    (to) => store.dispatch({ type: "step", to }),
  );
  const bar = createReplayBar(section, list, { get: store.get, dispatch: store.dispatch, say });
  return { list, bar };
}
