/** How this page looks at the match: with which board module, from which side, and at which ply the board stands. */

import { known } from "../match/store.js";
import { inHand, viewOf } from "../match/words.js";

/**
 * @typedef {object} Look
 * @property {Boards.Module} module the board module of the game
 * @property {() => Boards.Sight} view
 * @property {() => void} turn the board by one seat
 * @property {(seat: number) => void} face turn it so that a seat is nearest
 * @property {(move: string) => string} labelOf how a move is called where it can be pressed
 * @property {(listener: (ply: number) => void) => () => boolean} onShown hear when the board has come to rest
 * @property {(ply: number) => void} shown the board has come to rest
 */

/**
 * @param {{get: () => import("../match/store.js").Store}} store
 * @param {Boards.Module} module
 * @returns {Look}
 */
export function createLook(store, module) {
  let turnedBy = 0;
  /** @type {Set<(ply: number) => void>} */
  const listeners = new Set();
  const view = () => viewOf(known(store.get()), turnedBy);
  return {
    module,
    view,
    turn() {
      turnedBy += 1;
    },
    face(seat) {
      const { match, you } = known(store.get());
      turnedBy = seat - (you ?? 0) + match.seats.length;
    },
    labelOf(move) {
      const now = known(store.get());
      const controls = module.controls(now.live.state, inHand(now, view()));
      return controls.find((control) => control.move === move)?.label ?? move;
    },
    onShown(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    shown: (ply) => listeners.forEach((listener) => listener(ply)),
  };
}
