/** The plies of a match grouped by turn, for the move list and for counting moves. Pure. */

import { actOf, departureOf } from "./acts.js";

/**
 * @typedef {import("./acts.js").Ply} Ply
 *
 * @typedef {object} Turn
 * @property {number|null} seat
 * @property {boolean} act whether it is a match action and no turn
 * @property {boolean} moved whether a move was played in it: a resignation is no move
 * @property {Ply[]} plies
 */

/**
 * Groups plies by turn: consecutive moves of the same seat, with the dice between them. Match actions have rows of
 * their own, without a seat.
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
 * The number of moves up to a ply: its row number in the list.
 *
 * @param {ReadonlyArray<Ply|undefined>} plies
 * @param {number} last
 */
export const movesUpTo = (plies, last) => turns(plies.slice(0, last)).filter(({ moved }) => moved).length;

/**
 * The plies of a turn in groups: a throw, and the moves made with it.
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
