/**
 * Where the points, the rails and their sockets are drawn.
 *
 * @typedef {import("./position.js").State} State
 * @typedef {import("./position.js").View} View
 * @typedef {import("./position.js").Socket} Socket
 */

import { round } from "../../shapes/svg.js";
import { PLAN } from "./plan.js";
import { FILES, boardOf } from "./position.js";

/** The radius of a man, in the distance of two points. */
const BREADTH = 0.4;

/** The least touch target, in units of the narrow view box on the narrowest phone. */
const THUMB = 48;

/** @param {View} view */
export const planOf = (view) => (view.narrow ? PLAN.narrow : PLAN.wide);

// Layout

/** @param {State} _state @param {View} view */
export const viewBox = (_state, view) => /** @type {Boards.Size} */ (planOf(view).size);

/** The distance of two neighbouring files. @param {State} state @param {View} view */
export const step = (state, view) => planOf(view).field[2] / (boardOf(state).side - 1);

/** @param {State} state @param {View} view */
export const radius = (state, view) => Math.min(step(state, view) * BREADTH, planOf(view).man);

/**
 * The centre of a point, rotated for the other side.
 *
 * @param {string} point
 * @param {State} state
 * @param {View} view
 * @returns {[number, number]}
 */
export function spot(point, state, view) {
  const last = boardOf(state).side - 1;
  const [file, rank] = [FILES.indexOf(point[0]), Number(point[1]) - 1];
  const [right, down] = view.bottom === 1 ? [last - file, rank] : [file, last - rank];
  const [x, y] = planOf(view).field;
  return [round(x + right * step(state, view)), round(y + down * step(state, view))];
}

/** The rail of a seat: left and right of the field, or above and below; the bottom seat's comes last. @param {number} seat @param {View} view */
export const railOf = (seat, view) => planOf(view).rails[seat === view.bottom ? 1 : 0];

/**
 * The touch target of a rail: a low one extends over the edge of the plank and a little into the field.
 *
 * @param {number} seat
 * @param {View} view
 * @returns {[x: number, y: number, width: number, height: number]}
 */
export function railRoom(seat, view) {
  const [x, y, width, height] = railOf(seat, view);
  const more = Math.max(THUMB - height, 0);
  const edge = Math.min(more, planOf(view).rails[0][1]);
  return [x, y - (seat === view.bottom ? more - edge : edge), width, height + more];
}

/**
 * The centre and size of the nth socket of a rail.
 *
 * @param {number} seat
 * @param {number} nth
 * @param {State} state
 * @param {View} view
 * @returns {Socket}
 */
export function socket(seat, nth, state, view) {
  const [x, y, width, height] = railOf(seat, view);
  const { head, slot } = planOf(view);
  const pitch = ((view.narrow ? width : height) - head - slot / 2) / state.options.men;
  const along = head + (nth + 0.5) * pitch;
  const r = round(Math.min(slot, pitch * 0.46));
  return view.narrow ? { x: round(x + along), y: y + height / 2, r } : { x: x + width / 2, y: round(y + along), r };
}

/** @param {number|null} seat */
export const trayCell = (seat) => `hand${seat}`;

/** @param {string} cell */
export const isTray = (cell) => cell.startsWith("hand");
