/** Dice that roll across a board. */

import { die, scatter } from "./svg.js";

const HOPS = 4;
const HOP_MS = 130;
/** Height of the first hop, in sizes of a die; each is lower than the one before. */
const HIGH = 0.9;
const TURNS = 400;

/**
 * The frames of a throw: dice fly from one point to their places, and show another face at every hop.
 *
 * @template State
 * @param {{face: number, to: [number, number], size: number, turn: number}[]} dice
 * @param {[number, number]} from
 * @param {State} rolling the state without dice
 * @param {State} landed the state with the dice at their places
 * @returns {Boards.Frame<State>[]}
 */
export function rolled(dice, from, rolling, landed) {
  const hops = Array.from({ length: HOPS }, (_, hop) => ({
    state: hop === HOPS - 1 ? landed : rolling,
    ms: HOP_MS * (1 + hop / 6),
    airborne: hop < HOPS - 1,
    fly: dice.map(({ face, to, size, turn }, nth) => ({
      shape: die(((face + HOPS - 2 - hop + nth * hop) % 6) + 1, 0, 0, size),
      from: between(from, to, hop / HOPS, size, nth),
      to: between(from, to, (hop + 1) / HOPS, size, nth),
      turn: /** @type {[number, number]} */ ([turn - spin(hop, nth), turn - spin(hop + 1, nth)]),
      arc: (HIGH * size) / (hop + 1),
    })),
  }));
  hops.at(-1)?.fly.forEach((flight, nth) => {
    flight.shape = die(dice[nth].face, 0, 0, dice[nth].size);
  });
  return [{ state: rolling, ms: 0 }, ...hops];
}

/** Where a die is at a share of its way; on the way the dice are apart. @param {[number, number]} from @param {[number, number]} to @param {number} share @param {number} size @param {number} nth @returns {[number, number]} */
function between(from, to, share, size, nth) {
  const eased = 1 - (1 - share) ** 2;
  const aside = size * (nth % 2 ? 0.7 : -0.7) * (1 - share);
  return [from[0] + (to[0] - from[0]) * eased + aside, from[1] + (to[1] - from[1]) * eased + aside * (nth < 2 ? 1 : -1)];
}

/** How far a die has still to turn, in degrees. @param {number} hop @param {number} nth */
const spin = (hop, nth) => (TURNS + 200 * scatter(nth)) * (nth % 2 ? 1 : -1) * (1 - hop / HOPS) ** 2;
