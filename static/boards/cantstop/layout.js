/**
 * Where the columns, their spaces and their summits are drawn.
 *
 * @typedef {import("./position.js").State} State
 * @typedef {import("./position.js").View} View
 */

import { PLAN } from "./plan.js";
import { COLUMNS, LENGTHS } from "./position.js";

/** The size of a runner, in those of a cone. */
export const RUNNER = 1.25;

/* Layout */

/** @param {View} view */
export const planOf = (view) => (view.narrow ? PLAN.narrow : PLAN.wide);

/** @param {number} column @param {View} view */
export const middle = (column, view) => planOf(view).edge + (column - COLUMNS[0] + 0.5) * planOf(view).lane;

/** @param {number} column @param {View} view */
export const summit = (column, view) => planOf(view).ground - LENGTHS[column] * planOf(view).row;

/**
 * The middle of a space, on a path that winds; space 0 is the number below the column.
 *
 * @param {number} column
 * @param {number} space
 * @param {View} view
 * @returns {[number, number]}
 */
export function centre(column, space, view) {
  const { ground, row, foot, sway } = planOf(view);
  return [middle(column, view) + (space ? sway[space - 1] : 0), space ? ground - (space - 0.5) * row : ground + foot / 2];
}

/** @param {State} state @param {View} view @returns {Boards.Size} */
export const viewBox = (state, view) => /** @type {Boards.Size} */ (planOf(view).size);
