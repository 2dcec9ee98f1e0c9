/** Setting up a position of Nine Men's Morris: men on points and in hand. Repetitions count from it. */

import { isTray, trayCell } from "./layout.js";
import { EMPTY, MEN, boardOf } from "./position.js";

/** @typedef {import("./position.js").State} State */

/* global gettext */

export const tools = () => [
  { name: MEN[0], label: gettext("White man") },
  { name: MEN[1], label: gettext("Black man") },
  { name: EMPTY, label: gettext("No man") },
];

/**
 * A press on a point puts a man there, from the hand if all are used, or takes it away; one on a tray adds a man in hand,
 * or takes all if there is none to add.
 *
 * @param {string} cell @param {string} tool @param {State} state
 */
export function press(cell, tool, state) {
  return isTray(cell) ? filled(cell, tool, state) : placed(cell, tool, state);
}

/** @param {string} cell @param {string} tool @param {State} state */
function placed(cell, tool, state) {
  const board = [...state.board];
  const point = boardOf(state).points.indexOf(cell);
  board[point] = board[point] === tool ? EMPTY : tool;
  const hand = state.hand.map((men, seat) => Math.min(men, mostInHand(seat, board, state)));
  return fresh({ ...state, board: board.join(""), hand });
}

/** @param {string} cell @param {string} tool @param {State} state */
function filled(cell, tool, state) {
  const hand = state.hand.map((men, seat) => {
    const next = tool === EMPTY || men >= mostInHand(seat, [...state.board], state) ? 0 : men + 1;
    return trayCell(seat) === cell ? next : men;
  });
  return fresh({ ...state, hand });
}

/** @param {number} seat @param {string[]} board @param {State} state */
const mostInHand = (seat, board, state) => state.options.men - board.filter((man) => man === MEN[seat]).length;

/** @param {State} state */
export const clear = (state) => fresh({ ...state, board: EMPTY.repeat(state.board.length), hand: [0, 0] });

/** Without the history by which repetitions are known. @param {State} state */
const fresh = (state) => ({ ...state, takes: 0, quiet: 0, trail: "" });
