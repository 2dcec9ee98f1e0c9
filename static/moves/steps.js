/** The moves on a page, and the way through them: the list with the bar below it. */

import { MoveList } from "./list.js";
import { createReplayBar } from "./replay-bar.js";

const id = (/** @type {string} */ name) => /** @type {any} */ (document.getElementById(name));

/**
 * @param {{get: () => import("../match/store.js").Store, dispatch: (message: any) => void}} store
 * @param {(sentence: string) => void} [say] what comes of copying the address of a position
 */
export function createSteps(store, say) {
  const list = new MoveList(
    {
      list: id("moves"),
      buttons: { first: id("first"), previous: id("previous"), next: id("next"), last: id("last") },
      live: id("live"),
    },
    (to) => store.dispatch({ type: "step", to }),
  );
  const bar = createReplayBar(id("moves").closest("section"), list, { get: store.get, dispatch: store.dispatch, say });
  return { list, bar };
}
