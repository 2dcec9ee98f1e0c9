/**
 * What follows from a state of Kalah. Places are indices of `state.board`: seat 0's pits from its left, its store, seat 1's
 * pits from its left, its store. With P pits a side: stores P and 2P + 1.
 *
 * Players call a pit by its number: each side counts from 1, or the second side continues the first. `view.pits` is the
 * player's choice.
 *
 * @typedef {Boards.State & {board: number[], options: {pits: number, pie: boolean, sow_both_stores: boolean}}} State
 * @typedef {Boards.View<Event>} View
 *
 * @typedef {object} Event the fields of all kinds; the kind determines which are set
 * @property {string} kind
 * @property {number} seat
 * @property {number} start
 * @property {number[]} path
 * @property {number} pit
 * @property {number} opposite
 * @property {number[]} pits
 * @property {number} seeds
 *
 * @typedef {{x: number, y: number}} Point
 * @typedef {Point & {rx: number, ry: number}} Spot a place on the plank: its centre and radii
 * @typedef {{spots: Point[], layer: Point[]}} Layout
 */

// Layout

/** Pits a side for which pits are numbered 1 to 12 by default. */
const ROUND = 6;

/** @param {State} state */
export const pitsOf = (state) => state.options.pits;

/** @param {State} state @param {number} seat */
export const storeOf = (state, seat) => seat * (pitsOf(state) + 1) + pitsOf(state);

/** @param {State} state @param {number} place */
export const ownerOf = (state, place) => (place <= pitsOf(state) ? 0 : 1);

/** @param {State} state @param {number} place */
export const isStore = (state, place) => place === storeOf(state, ownerOf(state, place));

/** @param {State} state @param {number} place */
export const numberOf = (state, place) => place - ownerOf(state, place) * (pitsOf(state) + 1) + 1;

/**
 * Whether pits are numbered round the board: by default with six a side, if the opponent's store is sown too.
 *
 * @param {State} state
 * @param {Boards.Sight} view
 */
const isRound = ({ options }, { pits = "auto" }) =>
  options.pits === ROUND && (pits === "round" || (pits === "auto" && options.sow_both_stores));

/** The displayed number of a pit. @param {State} state @param {number} place @param {Boards.Sight} view */
export const shownNumber = (state, place, view) =>
  numberOf(state, place) + (isRound(state, view) ? ownerOf(state, place) * ROUND : 0);

/** @param {State} state @param {number} seat @param {number} number */
export const placeOf = (state, seat, number) => seat * (pitsOf(state) + 1) + number - 1;

/** The place of a pit's last seed, if it is less than a lap away. @param {State} state @param {number} place */
export function lastOf(state, place) {
  const last = place + state.board[place];
  return last < state.board.length ? last : null;
}

/** @param {State} state @param {number} place */
export function captures(state, place) {
  const last = lastOf(state, place);
  if (last === null || state.board[last] || isStore(state, last) || ownerOf(state, last) !== ownerOf(state, place)) {
    return false;
  }
  return state.board[2 * pitsOf(state) - last] > 0;
}

/** The place of the last seed of a pit, after any number of laps. @param {State} state @param {number} start */
export function landing(state, start) {
  const skipped = state.options.sow_both_stores ? null : storeOf(state, 1 - state.turn);
  const lap = state.board.map((_, i) => (start + i + 1) % state.board.length).filter((place) => place !== skipped);
  return lap[(state.board[start] - 1) % lap.length];
}
