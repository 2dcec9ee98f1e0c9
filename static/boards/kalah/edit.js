/** Setting up a position of Kalah: seeds of pits and stores. */

/** @typedef {import("./position.js").State} State */

/* global gettext */

export const tools = () => [
  { name: "more", label: gettext("One seed more") },
  { name: "less", label: gettext("One seed less") },
  { name: "none", label: gettext("No seeds") },
];

/** @param {string} cell @param {string} tool @param {State} state */
export function press(cell, tool, state) {
  const board = [...state.board];
  const seeds = board[Number(cell)];
  board[Number(cell)] = tool === "none" ? 0 : Math.max(0, seeds + (tool === "more" ? 1 : -1));
  return { ...state, board, swapper: null };
}

/** @param {State} state */
export const clear = (state) => ({ ...state, board: state.board.map(() => 0), swapper: null });
