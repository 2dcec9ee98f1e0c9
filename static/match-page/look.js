/** How this page shows the match: its board module, the side it is seen from, and the ply on the board. */

import { known } from "../match/store.js";
import { inHand, nameOfMove, viewOf } from "../match/words.js";
import { setting } from "../parts/settings.js";

/**
 * @typedef {object} Look
 * @property {Boards.Module} module the board module of the game
 * @property {() => Boards.Sight} view
 * @property {() => void} turn the board by one seat
 * @property {(seat: number) => void} face turn it so that a seat is nearest
 * @property {(move: string) => string} labelOf the name of a move on its button
 * @property {(move: string, seat?: number) => string} nameOf its name elsewhere, if that seat plays it; by default the one on turn
 * @property {(listener: (ply: number) => void) => () => boolean} onShown called when the board is at rest
 * @property {(ply: number) => void} shown reports that the board is at rest
 * @property {(listener: (state: Boards.State) => void) => () => boolean} onPainted called with what the board shows, during an animation too
 * @property {(state: Boards.State) => void} painted reports what the board shows
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
  /** @type {Set<(state: Boards.State) => void>} */
  const painted = new Set();
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
    nameOf(move, seat) {
      const { state } = known(store.get()).live;
      return nameOfMove(move, module, { ...state, turn: seat ?? state.turn }, view());
    },
    onShown(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    shown: (ply) => listeners.forEach((listener) => listener(ply)),
    onPainted(listener) {
      painted.add(listener);
      return () => painted.delete(listener);
    },
    painted: (state) => painted.forEach((listener) => listener(state)),
  };
}
