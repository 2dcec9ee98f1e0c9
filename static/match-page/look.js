/** How this page looks at the match: with which board module, from which side, and at which ply the board stands. */

import { known } from "../match/store.js";
import { inHand, nameOfMove, viewOf } from "../match/words.js";
import { setting } from "../parts/settings.js";

/**
 * @typedef {object} Look
 * @property {Boards.Module} module the board module of the game
 * @property {() => Boards.Sight} view
 * @property {() => void} turn the board by one seat
 * @property {(seat: number) => void} face turn it so that a seat is nearest
 * @property {(move: string) => string} labelOf how a move is called where it can be pressed
 * @property {(move: string) => string} nameOf how it is called elsewhere
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
  const view = () => viewOf(known(store.get()), turnedBy, setting("pits"));
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
      const { state } = now.live;
      const controls = module.controls(state, inHand(now, view()));
      return controls.find((control) => control.move === move)?.label ?? nameOfMove(move, module, state, view());
    },
    nameOf(move) {
      return nameOfMove(move, module, known(store.get()).live.state, view());
    },
    onShown(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    shown: (ply) => listeners.forEach((listener) => listener(ply)),
  };
}
