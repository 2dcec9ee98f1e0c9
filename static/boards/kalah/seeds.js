/**
 * The seeds: where each lies in its pit, and which colour it has kept on its way.
 *
 * @typedef {import("./position.js").State} State
 * @typedef {import("./position.js").View} View
 * @typedef {import("./position.js").Spot} Spot
 * @typedef {import("./position.js").Layout} Layout
 */

import { at, ellipse, group, scatter, shape } from "../../shapes/svg.js";
import { planOf, spot } from "./layout.js";
import { PLAN } from "./plan.js";

export const COLOURS = PLAN.seeds;

// Seeds

/**
 * Seed positions in a place: the closest to the middle that touch no other seed of the layer.
 *
 * @type {Map<string, Layout>}
 */
const layouts = new Map();

/** @param {number} place @param {number} count @param {Spot} room @param {number} radius */
export function seedSpots(place, count, { rx, ry }, radius) {
  const key = `${place} ${rx} ${ry}`;
  const layout = layouts.get(key) ?? { spots: [], layer: [] };
  layouts.set(key, layout);
  while (layout.spots.length < count) {
    const seed = freeSpot(place, layout, rx - radius * 1.15, ry - radius * 1.15, radius * 1.85);
    layout.layer.push(seed);
    layout.spots.push(seed);
  }
  return layout.spots.slice(0, count);
}

/** @param {number} place @param {Layout} layout @param {number} rx @param {number} ry @param {number} apart */
function freeSpot(place, layout, rx, ry, apart) {
  const nth = layout.spots.length;
  const tries = Array.from({ length: 48 }, (_, i) => {
    const angle = scatter(place, nth, i, 0) * 2 * Math.PI;
    const reach = Math.sqrt(scatter(place, nth, i, 1));
    return { x: Math.cos(angle) * reach * rx, y: Math.sin(angle) * reach * ry };
  }).sort((a, b) => Math.hypot(a.x, a.y) - Math.hypot(b.x, b.y));
  const free = tries.find((p) => layout.layer.every((q) => Math.hypot(p.x - q.x, p.y - q.y) >= apart));
  if (!free) {
    layout.layer = [];
  }
  return free ?? tries[0];
}

/** The most positions whose colours are remembered. */
const MOST_REMEMBERED = 2000;

/**
 * The colours of the seeds in each place, by the board that they lie on: seeds keep their colour from pit to pit, and a
 * state only counts them. A position that no seeds were seen to come to has colours of its own.
 *
 * @type {Map<string, number[][]>}
 */
const remembered = new Map();

/** @param {number[]} board @returns {number[][]} */
export function coloursOf(board) {
  return remembered.get(board.join()) ?? board.map((count, place) =>
    Array.from({ length: count }, (_, nth) => Math.floor(scatter(place, nth, 2) * COLOURS.length)));
}

/** The position with seeds of these colours in each place. @param {State} state @param {number[][]} colours @returns {State} */
export function laid(state, colours) {
  const board = colours.map(({ length }) => length);
  remembered.delete(board.join());
  remembered.set(board.join(), colours);
  if (remembered.size > MOST_REMEMBERED) {
    remembered.delete(/** @type {string} */ (remembered.keys().next().value));
  }
  return { ...state, board };
}

/**
 * The `nth` seed of a place, lying at x, y.
 *
 * @param {number} place
 * @param {number} nth
 * @param {number} colour
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 */
function seed(place, nth, colour, x, y, radius) {
  return shape("use", { key: nth, href: `#kalah-${COLOURS[colour]}`, transform: lying(place, nth, x, y, radius) });
}

/** The same in a small board and a picture: without gloss, as hundreds of those take long to paint. @type {typeof seed} */
function smallSeed(place, nth, colour, x, y, radius) {
  const [fill, stroke] = [`var(--seed-${COLOURS[colour]})`, `var(--seed-${COLOURS[colour]}-edge)`];
  return ellipse(0, 0, 1, 0.8, { key: nth, fill, stroke, "stroke-width": 0.2, transform: lying(place, nth, x, y, radius) });
}

/** @param {number} place @param {number} nth @param {number} x @param {number} y @param {number} radius */
const lying = (place, nth, x, y, radius) => at(x, y, { turn: scatter(place, nth, 3) * 360, scale: radius });

/** @param {State} state @param {number} place @param {View} view */
export function seeds(state, place, view) {
  const where = spot(state, place, view);
  const { seed: radius } = planOf(view);
  const spots = seedSpots(place, state.board[place], where, radius);
  const colours = coloursOf(state.board)[place];
  const draw = view.small ? smallSeed : seed;
  return spots.map(({ x, y }, nth) => draw(place, nth, colours[nth], where.x + x, where.y + y, radius));
}

/**
 * Moving seeds around 0, 0: the future `nths` seeds of `places`.
 *
 * @param {number[]} places
 * @param {number[]} nths
 * @param {number[]} colours
 * @param {View} view
 */
export function handful(places, nths, colours, view) {
  const { seed: radius } = planOf(view);
  const draw = view.small ? smallSeed : seed;
  return group({}, places.map((place, i) => {
    const angle = i * 2.4;
    const reach = i === 0 ? 0 : radius * 0.95 * Math.sqrt(i);
    const one = draw(place, nths[i], colours[i], Math.cos(angle) * reach, Math.sin(angle) * reach, radius);
    return { ...one, key: i };
  }));
}
