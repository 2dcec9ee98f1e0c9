/**
 * Advice for players who have never won: one line, and its move is highlighted on the board. Where it advises a move, it
 * takes the place of a hint.
 */

import { follow, known } from "../match/store.js";
import { myTurn } from "../match/may.js";
import { read, write } from "../net/storage.js";
import { part } from "../parts/elements.js";

/** Storage key: set for good when the player wants no more advice. */
const NO_MORE = "parlour:no-coach";

/** @typedef {{advice: () => Boards.Advice|null, onClose: (listener: () => void) => void}} Coach */

/**
 * The game's advice for the position on the board; null without advice, or if it is not my turn.
 *
 * @param {import("../match/store.js").Known} store
 * @param {import("./look.js").Look} look
 * @returns {Boards.Advice|null}
 */
function adviceFor(store, { module, view }) {
  if (!myTurn(store) || store.cursor !== null) {
    return null;
  }
  const events = store.plies[store.live.ply - 1]?.events ?? [];
  return module.coach?.(store.live.state, view(), events) ?? null;
}

/**
 * @param {HTMLElement|null} root holds the text and a button that ends all advice; null if none is given
 * @param {{store: import("./connection.js").Connection["store"]}} connection
 * @param {import("./look.js").Look} look
 * @param {Storage|null} storage remembers that advice is off
 * @returns {Coach}
 */
export function createCoach(root, { store }, look, storage) {
  let open = root !== null && read(storage, NO_MORE) !== "yes";
  if (!root || !open) {
    root?.remove();
    return { advice: () => null, onClose: () => undefined };
  }
  const words = part(root, "words");
  const aloud = part(root, "told");
  /** @type {() => void} */
  let closed = () => undefined;
  root.hidden = false;
  part(root, "close").addEventListener("click", () => {
    open = false;
    root.remove();
    write(storage, NO_MORE, "yes");
    closed();
  });
  /** @param {Boards.Advice|null} advice */
  const tell = (advice) => {
    if (aloud.textContent !== (advice?.told ?? "")) {
      aloud.textContent = advice?.told ?? "";
    }
    words.textContent = advice?.words ?? "";
    root.toggleAttribute("data-resting", advice === null);
  };
  look.onShown(() => tell(adviceFor(known(store.get()), look)));
  // What was said of the position before is no longer true; the next advice waits for the pieces.
  follow(store, (now, before) => {
    if (now.live.ply > before.live.ply) {
      tell(null);
    }
  });
  return {
    advice: () => (open ? adviceFor(known(store.get()), look) : null),
    onClose(listener) {
      closed = listener;
    },
  };
}
