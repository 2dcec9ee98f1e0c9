/**
 * What follows from a state of Can't Stop.
 *
 * Rows of a state are indexed by the column itself; space 0 is off the board. During an animation a state may also have
 * `rolling`, while its dice are in the air, and `bust`.
 *
 * @typedef {object} Own the fields of this game's state
 * @property {number[][]} cones
 * @property {number[]} runners
 * @property {(number|null)[]} owners
 * @property {boolean[]} present
 * @property {{topped: string}} options
 * @property {number[]} dice
 * @property {boolean} [due]
 * @property {boolean} [rolling]
 * @property {boolean} [bust]
 *
 * @typedef {Boards.State & Own} State
 * @typedef {Boards.View<Event>} View
 *
 * @typedef {object} Event the fields of all kinds; the kind determines which are set
 * @property {string} kind
 * @property {number} seat
 * @property {number[]} faces
 * @property {number} column
 * @property {number} start
 * @property {number} space
 * @property {number[]} columns
 *
 * @typedef {[column: number, start: number, space: number]} Climb
 * @typedef {{seat: number|null, space: number}} Piece a cone, or the runner of the seat on turn
 */

import { PLAN } from "./plan.js";

export const COLUMNS = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

export const LENGTHS = PLAN.lengths;

export const TO_WIN = 3;

export const RUNNERS = 3;

/** The three ways to split four dice into two pairs. */
const SPLITS = [[[0, 1], [2, 3]], [[0, 2], [1, 3]], [[0, 3], [1, 2]]];

/* Consequences of moves */

/** @param {string} move */
export const columnsOf = (move) => (/^\d/.test(move) ? move.split("+").map(Number) : []);

/**
 * The space of the seat on turn in a column: its runner, or else its cone.
 *
 * @param {State} state
 * @param {number} column
 */
export const standing = (state, column) => state.runners[column] || state.cones[state.turn][column];

/** @param {State} state */
export const running = (state) => COLUMNS.filter((column) => state.runners[column]);

/**
 * [column, start, space] of every runner that a move advances.
 *
 * @param {string} move
 * @param {State} state
 * @returns {Climb[]}
 */
export function climbs(move, state) {
  const columns = columnsOf(move);
  return [...new Set(columns)].map((column) => {
    const start = standing(state, column);
    return [column, start, start + columns.filter((each) => each === column).length];
  });
}

/** The position with the runners turned into cones. @param {State} state */
export function settled(state) {
  const own = state.cones[state.turn].map((space, column) => state.runners[column] || space);
  return {
    ...state,
    cones: state.cones.with(state.turn, own),
    runners: state.runners.map(() => 0),
  };
}

/** The pieces after a move. @param {string} move @param {State} state */
export function foreseen(move, state) {
  return move === "stop"
    ? settled(state)
    : climbs(move, state).reduce((now, [column, , space]) => withRunner(now, column, space), state);
}

/** @param {State} state @param {number} column @param {number} space */
export const withRunner = (state, column, space) => ({ ...state, runners: state.runners.with(column, space) });

/**
 * The legal move with a column: a throw pairs every sum with only one other.
 *
 * @param {number|string} column
 * @param {string[]} legal
 */
export const moveIn = (column, legal) => legal.find((move) => columnsOf(move).includes(Number(column)));

/** The move whose consequences are shown. @param {View} view */
export const shownMove = ({ preview, selection, legal }) =>
  preview !== null && legal.includes(preview) ? preview : selection && moveIn(selection, legal);

/**
 * The distinct splits of four dice into two pairs, as sums, the smaller first.
 *
 * @param {number[]} dice
 */
export function pairings(dice) {
  if (!dice.length) {
    return [];
  }
  /** @param {number[]} pair */
  const sum = ([one, other]) => dice[one] + dice[other];
  const found = SPLITS.map((pairs) => pairs.map(sum).sort((a, b) => a - b));
  return found.filter((pairing, nth) => nth === found.findIndex(([low]) => low === pairing[0]));
}

/** Whether neither half of a pairing can be played. @param {number[]} pairing @param {string[]} legal */
export const isClosed = (pairing, legal) => pairing.every((column) => moveIn(column, legal) === undefined);

/**
 * The columns because of which a pairing, or half of it, cannot be played. If a topped column blocks the whole pairing,
 * the other column is not listed.
 *
 * @param {number[]} pairing
 * @param {string[]} legal
 * @param {State} state
 */
export function blamed(pairing, legal, state) {
  const closed = [...new Set(pairing)].filter((column) => moveIn(column, legal) === undefined);
  const topped = closed.filter((column) => isTop(column, standing(state, column)));
  return state.options.topped === "strict" && topped.length ? topped : closed;
}

/** The pairs of dice that a move plays, and the other one: indexes of dice, the pair with the first column first. @param {string} move @param {number[]} dice */
export function pairsOf(move, dice) {
  const [sum] = columnsOf(move);
  /** @param {number[]} pair */
  const adds = (pair) => dice[pair[0]] + dice[pair[1]] === sum;
  const split = SPLITS.find((pairs) => pairs.some(adds)) ?? SPLITS[0];
  return split.toSorted((one, other) => Number(adds(other)) - Number(adds(one)));
}

/** @param {number} seat @param {State} state */
export const claimedBy = (seat, state) => COLUMNS.filter((column) => state.owners[column] === seat);

/* Words */

/** @param {number} column @param {number} space */
export const isTop = (column, space) => space === LENGTHS[column];
