/**
 * Where the trays, their dice and the centre are drawn.
 *
 * @typedef {import("./position.js").State} State
 * @typedef {import("./position.js").View} View
 */

import { round, scatter } from "../../shapes/svg.js";
import { PLAN } from "./plan.js";
import { diceInAll } from "./position.js";

const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

export const NAME_HEIGHT = 28;

/** @param {View} view */
export function layout(view) {
  const { wide, narrow } = PLAN.layouts.find(({ seats }) => view.names.length <= seats) ?? PLAN.layouts[PLAN.layouts.length - 1];
  const { size: [width, height], tray: [trayWidth, trayHeight], ...rest } = view.narrow ? { ...PLAN.narrow, ...narrow } : { ...PLAN.wide, ...wide };
  return { width, height, trayWidth, trayHeight, ...rest };
}

/**
 * @param {State} _state
 * @param {View} view
 * @returns {[number, number]}
 */
export function viewBox(_state, view) {
  const { width, height } = layout(view);
  return [width, height];
}

// Layout

/**
 * The centre of a seat's tray, on a curve between ellipse and rectangle, so that the corners are used.
 *
 * @param {number} seat
 * @param {View} view
 */
export function place(seat, view) {
  const { width, height, trayWidth, trayHeight, margin, bulge: power } = layout(view);
  const angle = (2 * Math.PI * (seat - view.bottom)) / view.names.length;
  /** @param {number} part @param {number} power */
  const bulge = (part, power) => (Math.abs(part) < 1e-9 ? 0 : Math.sign(part) * Math.abs(part) ** power);
  return [
    round(width / 2 - bulge(Math.sin(angle), 0.35) * (width / 2 - trayWidth / 2 - margin)),
    round(height / 2 + bulge(Math.cos(angle), power) * (height / 2 - trayHeight / 2 - margin)),
  ];
}

/**
 * The largest size at which `count` dice fit into a width and a height.
 *
 * @param {number} count
 * @param {number} width
 * @param {number} height
 * @param {number} most
 */
export function grid(count, width, height, most) {
  for (let size = most; ; size -= 0.5) {
    const pitch = size * 1.22;
    const columns = Math.floor((width + pitch - size) / pitch);
    const rows = Math.floor((height + pitch - size) / pitch);
    if (columns * rows >= count) {
      return { size, pitch, columns: Math.ceil(count / Math.ceil(count / columns)) };
    }
  }
}

/**
 * Position, size and rotation of each of `count` dice in a seat's tray.
 *
 * @param {number} seat
 * @param {number} count
 * @param {View} view
 */
export function spots(seat, count, view) {
  const { trayWidth, trayHeight, dice, head, foot } = layout(view);
  const [x, y] = place(seat, view);
  const { size, pitch, columns } = grid(count, trayWidth - 16, trayHeight - head - foot, dice);
  const rows = Math.ceil(count / columns);
  return Array.from({ length: count }, (_, nth) => {
    const row = Math.floor(nth / columns);
    const inRow = Math.min(columns, count - row * columns);
    return {
      x: round(x + ((nth % columns) - (inRow - 1) / 2) * pitch),
      y: round(y + (head - foot) / 2 + (row - (rows - 1) / 2) * pitch),
      size,
      turn: round((scatter(seat, nth) - 0.5) * 16),
    };
  });
}

/**
 * Position, size and rotation of the nth ace in the centre, arranged like sunflower seeds.
 *
 * @param {number} nth
 * @param {State} state
 * @param {View} view
 */
export function centreSpot(nth, state, view) {
  const [x, y, pot] = layout(view).pot;
  const step = pot / (Math.sqrt(diceInAll(state)) + 0.9);
  const reach = step * Math.sqrt(nth + 0.4);
  return {
    x: round(x + reach * Math.cos(nth * GOLDEN_ANGLE)),
    y: round(y + reach * Math.sin(nth * GOLDEN_ANGLE)),
    size: round(step * 1.45),
    turn: round(scatter(nth) * 90),
  };
}
