/** Hot-seat matches: the board stays as it is, or turns to the player on turn, as the players prefer. */

import { isKnown, shownPly } from "../match/store.js";
import { read, write } from "../net/storage.js";

const KEY = "parlour:turning";

/**
 * @param {HTMLElement} button a switch
 * @param {object} way
 * @param {{get: () => import("../match/store.js").Store}} way.store
 * @param {() => number} way.nearest the seat at the bottom of the board
 * @param {(seat: number) => void} way.onTurn turn it to another
 * @param {(listener: () => void) => void} way.onShown called when the board is at rest
 * @param {Storage|null} way.storage stores the choice
 */
export function bindTurning(button, { store, nearest, onTurn, onShown, storage }) {
  let on = read(storage, KEY) === "on";

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
    button.closest("dialog")?.close();
    write(storage, KEY, on ? "on" : "off");
    turn();
  }

  const dress = () => button.setAttribute("aria-pressed", String(on));

  button.addEventListener("click", press);
  // Show the last move from the seat that made it.
  onShown(() => queueMicrotask(turn));
  dress();
  turn();
}
