/**
 * What follows from a state of Nine Men's Morris and its relatives.
 *
 * Points are named by file and rank, as the rules name them. `state.board` has a letter for each, from the top rank
 * down and from left to right. During an animation a state may also have `lit`, the flashing mills, and `flying`, the
 * seat of the moving man.
 *
 * @typedef {object} Options
 * @property {keyof typeof PLAN.boards} board
 * @property {number} men
 * @property {boolean} early_slides
 * @property {boolean} flying
 *
 * @typedef {object} Own the fields of this game's state
 * @property {Options} options
 * @property {string} board
 * @property {number[]} hand
 * @property {number} takes
 * @property {string[][]} [lit]
 * @property {number} [flying]
 *
 * @typedef {Boards.State & Own} State
 * @typedef {Boards.View<Event>} View
 *
 * @typedef {object} Event the fields of all kinds; the kind determines which are set
 * @property {string} kind
 * @property {number} seat
 * @property {string} point
 * @property {string} start
 * @property {string} to
 * @property {string[][]} mills
 * @property {number} takes
 *
 * @typedef {{side: number, points: string[], lines: string[][]}} Board
 * @typedef {{x: number, y: number, r: number}} Socket
 */

import { PLAN } from "./plan.js";

export const MEN = "WB";

export const EMPTY = ".";

export const FILES = "abcdefg";

// The points and lines of a board

/** @type {Record<string, Board>} */
const BOARDS = Object.fromEntries(Object.entries(PLAN.boards).map(([name, lines]) => [name, makeBoard(lines)]));

/** @param {State} state */
export const boardOf = (state) => BOARDS[state.options.board];

/** @param {string} text the lines of a board @returns {Board} */
function makeBoard(text) {
  const lines = text.split(" ").map((row) => row.split("-"));
  const points = [...new Set(lines.flat())].sort((a, b) => Number(b[1]) - Number(a[1]) || a.localeCompare(b));
  return { side: Math.max(...points.map((point) => Number(point[1]))), points, lines };
}

/** @param {State} state @param {string} point */
export const manOn = (state, point) => state.board[boardOf(state).points.indexOf(point)];

/** @param {string} man */
export const ownerOf = (man) => MEN.indexOf(man);

/** @param {State} state @param {string} point */
export function inMill(state, point) {
  const man = manOn(state, point);
  return boardOf(state).lines.some((row) =>
    row.length === 3 && row.includes(point) && row.every((other) => manOn(state, other) === man),
  );
}

/** @param {State} state @param {number} seat */
export const onBoard = (state, seat) => [...state.board].filter((man) => man === MEN[seat]).length;

/** Men that a seat has lost, without one in motion. @param {State} state @param {number} seat */
export const lost = (state, seat) =>
  state.options.men - state.hand[seat] - onBoard(state, seat) - (state.flying === seat ? 1 : 0);

/** @param {State} state */
export function flies(state) {
  return state.options.flying && state.hand[state.turn] === 0 && onBoard(state, state.turn) === 3;
}

/** @param {string} move */
export const isPlacing = (move) => !move.includes("-") && !move.startsWith("x");

/** @param {State} state @param {string} start @param {string} point */
export const areNeighbours = (state, start, point) =>
  boardOf(state).lines.some((row) => Math.abs(row.indexOf(start) - row.indexOf(point)) === 1 && row.includes(start) && row.includes(point));

// Advice

/** The state without the man that a move lifts. @param {string} move @param {State} state */
export const lifted = (move, state) => (move.includes("-") ? put(state, move.split("-")[0], EMPTY) : state);

/** @param {string} move */
export const target = (move) => move.split("-").at(-1) ?? "";

/** The position after a move that takes nothing. @param {string} move @param {State} state */
export function after(move, state) {
  const landed = put(lifted(move, state), target(move), MEN[state.turn]);
  return move.includes("-") ? landed : dealt(landed, state.turn, -1);
}

/** @param {State} state @param {string} point @param {string} letter */
export function put(state, point, letter) {
  const index = boardOf(state).points.indexOf(point);
  return { ...state, board: state.board.slice(0, index) + letter + state.board.slice(index + 1) };
}

/** @param {State} state @param {number} seat @param {number} count */
export const dealt = (state, seat, count) => ({ ...state, hand: state.hand.map((men, each) => (each === seat ? men + count : men)) });
