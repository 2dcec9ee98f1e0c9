/** Setting up a position of Can't Stop: cones, runners and claimed columns. */

import { say } from "../../words/sentences.js";
import { LENGTHS } from "./position.js";

/** @typedef {import("./position.js").State} State */

/* global gettext */

const RUNNER = "runner";
const CLAIM = "claim";

/** @param {State} state @param {string[]} names */
export const tools = (state, names) => [
  ...state.cones.map((_, seat) => ({ name: String(seat), label: say(gettext("Cone: %(name)s"), { name: names[seat] }) })),
  { name: RUNNER, label: gettext("Runner") },
  { name: CLAIM, label: gettext("Claimed column") },
];

/**
 * A press on a column moves the piece of the tool one space up, and from the highest off the board.
 *
 * @param {string} cell @param {string} tool @param {State} state
 */
export function press(cell, tool, state) {
  const column = Number(cell);
  if (tool === CLAIM) {
    return claimed(column, state);
  }
  if (tool === RUNNER) {
    const up = (state.runners[column] || state.cones[state.turn][column]) + 1;
    return { ...state, runners: put(state.runners, column, up > LENGTHS[column] ? 0 : up) };
  }
  const seat = Number(tool);
  const cones = put(state.cones, seat, put(state.cones[seat], column, (state.cones[seat][column] + 1) % LENGTHS[column]));
  return { ...state, cones };
}

/** The next owner of a column, which has no pieces then. @param {number} column @param {State} state */
function claimed(column, state) {
  const owner = state.owners[column];
  const next = owner === null ? 0 : owner + 1;
  const cones = state.cones.map((row) => put(row, column, 0));
  return { ...state, owners: put(state.owners, column, next < cones.length ? next : null), cones, runners: put(state.runners, column, 0) };
}

/** @param {State} state */
export const clear = (state) => ({
  ...state,
  cones: state.cones.map((row) => row.map(() => 0)),
  runners: state.runners.map(() => 0),
  owners: state.owners.map(() => null),
  dice: [],
  due: false,
});

/** A list with another value at a place. @template T @param {T[]} list @param {number} at @param {T} value */
const put = (list, at, value) => list.map((each, nth) => (nth === at ? value : each));
