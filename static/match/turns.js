/** The plies of a match by turns, as they stand in the move list and as they are counted everywhere. Pure. */

import { actOf, departureOf } from "./acts.js";

/**
 * @typedef {import("./acts.js").Ply} Ply
 *
 * @typedef {object} Turn
 * @property {number|null} seat
 * @property {boolean} act whether it is nobody's turn, but something that happened beside the game
 * @property {boolean} moved whether something was played in it: a resignation is no move
 * @property {Ply[]} plies
 */

/**
 * Plies of one turn share a row: moves in a row by the same seat, with the dice between them. What happened
 * beside the game has a row of its own, which is nobody's.
 *
 * @param {ReadonlyArray<Ply|undefined>} plies
 */
export function turns(plies) {
  /** @type {Turn[]} */
  const rows = [];
  for (const ply of plies) {
    if (!ply) {
      continue;
    }
    const row = rows.at(-1);
    const act = actOf(ply.action) !== null;
    const moved = !act && departureOf(ply.action) === null;
    if (row && !act && !row.act && (ply.seat === null || ply.seat === row.seat)) {
      row.plies.push(ply);
      row.moved ||= moved;
    } else {
      rows.push({ seat: act ? null : ply.seat, act, moved, plies: [ply] });
    }
  }
  return rows;
}

/**
 * How many moves there are up to a ply: the number of the row of the list that the ply stands in.
 *
 * @param {ReadonlyArray<Ply|undefined>} plies
 * @param {number} last
 */
export const movesUpTo = (plies, last) => turns(plies.slice(0, last)).filter(({ moved }) => moved).length;

/**
 * The plies of a turn as they belong together: a throw, and what was made of it.
 *
 * @param {Ply[]} plies
 * @returns {Ply[][]}
 */
export function throwsApart(plies) {
  /** @type {Ply[][]} */
  const groups = [];
  for (const ply of plies) {
    const group = groups.at(-1);
    if (group && group[0].dice && !ply.dice) {
      group.push(ply);
    } else {
      groups.push([ply]);
    }
  }
  return groups;
}
