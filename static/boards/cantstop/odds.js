/**
 * The chance of a bust.
 *
 * @typedef {import("./position.js").State} State
 */

import { LENGTHS, RUNNERS, isTop, pairings, running, standing } from "./position.js";

/** The different throws, each as its pairings, and in how many ways it can fall. */
export const THROWS = throws();

/** @returns {[number[][], number][]} */
function throws() {
  const faces = [1, 2, 3, 4, 5, 6];
  /** @type {Map<string, number>} */
  const ways = new Map();
  for (const [a, b, c, d] of faces.flatMap((a) => faces.flatMap((b) => faces.flatMap((c) => faces.map((d) => [a, b, c, d]))))) {
    const dice = [a, b, c, d].sort().join("");
    ways.set(dice, (ways.get(dice) ?? 0) + 1);
  }
  return [...ways].map(([dice, count]) => [pairings([...dice].map(Number)), count]);
}

/**
 * The chance that a throw by the seat on turn would move nothing, as `bust_odds` in games/rules/cantstop.py.
 *
 * @param {State} state
 */
export function bustOdds(state) {
  const left = RUNNERS - running(state).length;
  const open = LENGTHS.map((_, column) =>
    state.owners[column] === null && !isTop(column, standing(state, column)) && (state.runners[column] > 0 || left > 0));
  const barred = LENGTHS.map((_, column) => state.options.topped === "strict" && isTop(column, standing(state, column)));
  /** @param {number[]} pairing */
  const moves = (pairing) => !pairing.some((column) => barred[column]) && pairing.some((column) => open[column]);
  const busts = THROWS.filter(([splits]) => !splits.some(moves));
  return busts.reduce((sum, [, ways]) => sum + ways, 0) / 6 ** 4;
}
