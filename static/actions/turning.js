/** At one board: it stays as it is, or turns to whoever is to move, as those who sit there like it. */

import { isKnown, shownPly } from "../match/store.js";

const KEY = "parlour:turning";

/**
 * @param {HTMLElement|null} button a switch; null for everybody who does not hold the board
 * @param {object} way
 * @param {{get: () => import("../match/store.js").Store}} way.store
 * @param {() => number} way.nearest the seat that the board is turned to
 * @param {(seat: number) => void} way.onTurn turn it to another
 * @param {(listener: () => void) => void} way.onShown hear when the board has come to rest
 * @param {Storage|null} way.storage keeps what was switched
 */
export function bindTurning(button, { store, nearest, onTurn, onShown, storage }) {
  if (!button) {
    return;
  }
  let on = storage?.getItem(KEY) === "on";

  function turn() {
    const now = store.get();
    const rests = isKnown(now) && !now.live.outcome && shownPly(now) === now.live.ply;
    if (on && rests && nearest() !== now.live.state.turn) {
      onTurn(now.live.state.turn);
    }
  }

  function press() {
    on = !on;
    dress();
    button?.closest("dialog")?.close();
    try {
      storage?.setItem(KEY, on ? "on" : "off");
    } catch {
      // Storage is full or switched off: it holds until the page is left.
    }
    turn();
  }

  const dress = () => button.setAttribute("aria-pressed", String(on));

  button.addEventListener("click", press);
  // The last move is seen from where it was made.
  onShown(() => queueMicrotask(turn));
  dress();
  turn();
}
