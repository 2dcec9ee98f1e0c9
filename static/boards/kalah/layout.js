/**
 * Where the pits, the stores and their numbers are drawn.
 *
 * @typedef {import("./position.js").State} State
 * @typedef {import("./position.js").View} View
 * @typedef {import("./position.js").Spot} Spot
 */

import { round } from "../../shapes/svg.js";
import { PLAN } from "./plan.js";
import { isStore, numberOf, ownerOf, pitsOf } from "./position.js";

/** @param {View} view */
export const planOf = (view) => (view.narrow ? PLAN.narrow : PLAN.wide);

/** @param {State} state @param {View} view @returns {Boards.Size} */
export function viewBox(state, view) {
  if (view.narrow) {
    return /** @type {Boards.Size} */ (PLAN.narrow.size);
  }
  const { margin, end, pitch, pit, gap, band } = PLAN.wide;
  return [2 * (margin + end) + pitsOf(state) * pitch, 2 * band + 4 * pit[1] + gap];
}

/**
 * Centre and radii of a place on the plank. The bottom seat's pits run from left to right.
 *
 * @param {State} state
 * @param {number} place
 * @param {View} view
 * @returns {Spot}
 */
export function spot(state, place, view) {
  const [width, height] = viewBox(state, view);
  const [[x, y], [rx, ry]] = isStore(state, place)
    ? [storeSpot(state, view), planOf(view).store]
    : [pitSpot(state, numberOf(state, place) - 0.5, 0, view), planOf(view).pit];
  return ownerOf(state, place) === view.bottom ? { x, y, rx, ry } : { x: round(width - x), y: round(height - y), rx, ry };
}

/** The centre of the bottom seat's store. @param {State} state @param {View} view */
function storeSpot(state, view) {
  const [width, height] = viewBox(state, view);
  return view.narrow
    ? [width / 2, height / 2 + PLAN.narrow.apart]
    : [width - PLAN.wide.margin - PLAN.wide.end / 2 + 4, height / 2];
}

/**
 * A point in the bottom seat's row: `along` counts pits from the left, `beyond` is how far it is outside their centres.
 *
 * @param {State} state
 * @param {number} along
 * @param {number} beyond
 * @param {View} view
 */
function pitSpot(state, along, beyond, view) {
  const [width, height] = viewBox(state, view);
  if (view.narrow) {
    const [rx, ry] = PLAN.narrow.ring;
    const angle = Math.PI * (1 - along / pitsOf(state));
    return [round(width / 2 + (rx + beyond) * Math.cos(angle)), round(height / 2 + (ry + beyond) * Math.sin(angle))];
  }
  const { margin, end, pitch, pit, band } = PLAN.wide;
  return [margin + end + along * pitch, height - band - pit[1] + beyond];
}

/** Where the number of seeds in a place stands: outside the rows, or inside the ring. @param {State} state @param {number} place @param {View} view */
export function numberSpot(state, place, view) {
  const [width, height] = viewBox(state, view);
  const { pit, store, band } = planOf(view);
  const beyond = pit[1] + band / 2;
  const [middle, level] = storeSpot(state, view);
  const [x, y] = isStore(state, place)
    ? [middle, level + store[1] + band / 2]
    : pitSpot(state, numberOf(state, place) - 0.5, view.narrow ? -beyond : beyond, view);
  return ownerOf(state, place) === view.bottom ? [x, y] : [round(width - x), round(height - y)];
}
