/** Advice for somebody who has never won: one line, and the move it is about glows on the board. */

import { follow, known } from "../match/store.js";
import { myTurn } from "../match/may.js";
import { part } from "../parts/elements.js";

/** Set for good once somebody wants no more advice. */
const NO_MORE = "parlour:no-coach";

/** @typedef {{move: () => string|null, onClose: (listener: () => void) => void}} Coach */

/**
 * What the game advises in the position on the board, null where it has nothing to say or it is not my turn.
 *
 * @param {import("../match/store.js").Known} store
 * @param {import("./look.js").Look} look
 * @returns {Boards.Advice|null}
 */
export function adviceFor(store, { module, view }) {
  if (!myTurn(store) || store.cursor !== null) {
    return null;
  }
  const events = store.plies[store.live.ply - 1]?.events ?? [];
  return module.coach?.(store.live.state, view(), events) ?? null;
}

/**
 * @param {HTMLElement|null} root holds the words and a button that ends all advice; null where none is given
 * @param {{store: import("./connection.js").Connection["store"]}} connection
 * @param {import("./look.js").Look} look
 * @param {Storage|null} storage keeps that no more was wanted
 * @returns {Coach}
 */
export function createCoach(root, { store }, look, storage) {
  let open = root !== null && storage?.getItem(NO_MORE) !== "yes";
  if (!root || !open) {
    root?.remove();
    return { move: () => null, onClose: () => undefined };
  }
  const words = part(root, "words");
  const aloud = part(root, "told");
  /** @type {() => void} */
  let closed = () => undefined;
  root.hidden = false;
  part(root, "close").addEventListener("click", () => {
    open = false;
    root.remove();
    try {
      storage?.setItem(NO_MORE, "yes");
    } catch {
      // Storage is full or switched off: advice is given again on another page.
    }
    closed();
  });
  follow(store, (now) => {
    const advice = adviceFor(now, look);
    if (aloud.textContent !== (advice?.told ?? "")) {
      aloud.textContent = advice?.told ?? "";
    }
    words.textContent = advice?.words ?? "";
    root.toggleAttribute("data-resting", advice === null);
  });
  return {
    move: () => (open ? adviceFor(known(store.get()), look)?.move ?? null : null),
    onClose(listener) {
      closed = listener;
    },
  };
}
