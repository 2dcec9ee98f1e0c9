/**
 * The drawing of the table.
 *
 * @typedef {import("./position.js").State} State
 * @typedef {import("./position.js").View} View
 */

import { fitted } from "../../shapes/names.js";
import { SHADE, at, circle, die, gradient, group, path, rect, round, seatFill, seatMark, seatPatterns, shape, star, text } from "../../shapes/svg.js";
import { NAME_HEIGHT, centreSpot, grid, layout, place, spots } from "./layout.js";
import { ACE, FIVE, RESTING, TWO, diceInAll, isHandedOn, isLit, isOver, mayThrow } from "./position.js";
import { centreWords, countWords, nameOf, trayWords } from "./words.js";

/* global gettext */

/** The length of the way that thrown dice roll, in heights of a tray. */
export const ROLL = 1.6;

// Drawing

/** @param {State} state @param {View} view */
export function draw(state, view) {
  return [
    shape("defs", { key: "aces-defs" }, [
      gradient("radialGradient", "aces-felt", [[0, "var(--felt)"], [1, "var(--felt-deep)"]]),
      gradient("linearGradient", "aces-wood", [[0, "var(--wood-light)"], [1, "var(--wood-dark)"]], { x2: 0, y2: 1 }),
    ]),
    seatPatterns(view.names.length, 7),
    table(view),
    ...(isOver(state, view) ? [] : [pointer(state, view)]),
    centre(state, view),
    ...view.names.map((_, seat) => tray(seat, state, view)),
  ];
}

/** @param {View} view */
function table(view) {
  const { width, height, rim, corner } = layout(view);
  /** @param {number} inset @param {import("../../shapes/svg.js").Attrs} attrs */
  const board = (inset, attrs) =>
    rect(inset, inset, width - 2 * inset, height - 2 * inset, { rx: corner - inset, ...attrs });
  return group({ key: "table" }, [
    board(1, { fill: "url(#aces-wood)", stroke: "var(--wood-edge)", "stroke-width": 2 }),
    board(rim, { fill: "url(#aces-felt)", stroke: "var(--wood-edge)", "stroke-width": 2 }),
  ]);
}

/** A light from the centre onto the seat on turn. @param {State} state @param {View} view */
function pointer(state, view) {
  const { trayWidth, trayHeight, pot: [cx, cy] } = layout(view);
  const [x, y] = place(state.turn, view);
  const length = Math.hypot(x - cx, y - cy);
  const [dx, dy] = [(x - cx) / length, (y - cy) / length];
  const edge = Math.min(trayWidth / 2 / Math.abs(dx), trayHeight / 2 / Math.abs(dy)) + 7;
  const half = trayHeight * 0.45;
  const cone = [[cx, cy], [x - dy * half, y + dx * half], [x + dy * half, y - dx * half]];
  return group({ key: "pointer" }, [
    path(`M${cone.map((point) => point.map(round).join(" ")).join("L")}Z`, { fill: "var(--mark)", "fill-opacity": 0.2 }),
    path("M6 0L-6-7V7Z", {
      transform: at(x - dx * edge, y - dy * edge, { turn: (Math.atan2(dy, dx) * 180) / Math.PI }),
      fill: "var(--mark)",
      stroke: "var(--mark-edge)",
      "stroke-linejoin": "round",
    }),
  ]);
}

/** @param {State} state @param {View} view */
function centre(state, view) {
  const { pot: [x, y, pot] } = layout(view);
  /** @type {Boards.Cell} */
  const cell = { name: "centre", label: centreWords(state), box: [x - pot, y - pot, 2 * pot, 2 * pot], round: true };
  const aces = Array.from({ length: state.centre }, (_, nth) => {
    const { x: dx, y: dy, size, turn } = centreSpot(nth, state, view);
    return die(ACE, dx, dy, size, { turn, key: nth });
  });
  return group({ key: "centre", cell }, [
    circle(x, y, pot, { fill: "var(--felt-deep)", stroke: "var(--wood-light)", "stroke-width": 3 }),
    circle(x, y, pot + 3, { fill: "none", stroke: "var(--wood-edge)" }),
    turnOrder(x, y, pot + 11),
    group({ key: "aces" }, aces),
    !view.small && legend(view),
    !view.small && status(state, view),
  ]);
}

/** Where ones, twos and fives go. @param {View} view */
function legend(view) {
  const { legend: [x, y, width], type } = layout(view);
  const size = type * (width ? 1.5 : 1.1);
  const [column, row] = width ? [0, type * 1.95] : [type * 2.6, 0];
  /** @type {[face: number, words: string, way: string][]} */
  const rows = [
    [ACE, gettext("centre"), "M0-5A5 5 0 1 0 0.01-5Z"],
    [TWO, gettext("left"), "M7 0H-7M-2-5L-7 0L-2 5"],
    [FIVE, gettext("right"), "M-7 0H7M2-5L7 0L2 5"],
  ];
  return group({ key: "legend" }, rows.map(([face, words, way], nth) => {
    const [left, line] = [x + size / 2 + nth * column, y + nth * row];
    const name = fitted(words, width - 2.4 * size, type);
    return group({ key: face }, [
      die(face, left, line, size, { strong: true }),
      path(way, {
        transform: at(left + size * 1.25, line, { scale: type / 14 }),
        fill: "none",
        stroke: "var(--on-felt)",
        "stroke-width": 2,
        "stroke-linecap": "round",
        "stroke-linejoin": "round",
      }),
      width > 0 && text(left + size * 1.9, line, name.words, { size: name.size, fill: "var(--on-felt)", "text-anchor": "start" }),
    ]);
  }));
}

/** How many dice are in the centre, and the last throw with its player, for users who missed the animation. @param {State} state @param {View} view */
function status(state, view) {
  const { status: [x, y, width], type } = layout(view);
  const count = fitted(view.narrow ? `${state.centre}/${diceInAll(state)}` : centreWords(state), width, type * 1.1, true);
  return group({ key: "status" }, [
    text(x, y, count.words, { size: count.size, fill: "var(--on-felt)", "font-weight": 700, "text-anchor": "start" }),
    lastThrow(x, y + type * 1.9, width, type * 1.7, view),
  ]);
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} most
 * @param {View} view
 */
function lastThrow(x, y, width, most, view) {
  const thrown = view.last?.events.find(({ kind }) => kind === "thrown");
  if (!thrown) {
    return null;
  }
  const { seat, faces } = thrown;
  const { size, pitch } = grid(faces.length + 1, width, most, most);
  /** @param {number} nth */
  const column = (nth) => round(x + size / 2 + nth * pitch);
  return group({ key: "last-throw" }, [
    seatMark(seat, column(0), y, size * 0.4, { key: "mark" }),
    ...faces.map((face, nth) => die(face, column(nth + 1), y, size, { strong: isHandedOn(face), key: nth })),
  ]);
}

/** Three arrows round the centre in turn order. @param {number} x @param {number} y @param {number} reach */
function turnOrder(x, y, reach) {
  /** @param {number} from */
  const arrow = (from) => {
    const [start, end] = [from, from + 50].map((degrees) => (degrees * Math.PI) / 180);
    /** @param {number} angle */
    const point = (angle) => `${round(reach * Math.cos(angle))} ${round(reach * Math.sin(angle))}`;
    return group({}, [
      path(`M${point(start)}A${reach} ${reach} 0 0 1 ${point(end)}`, { fill: "none" }),
      path("M-4-4L0 1L4-4", {
        fill: "none",
        transform: at(reach * Math.cos(end), reach * Math.sin(end), { turn: from + 50 }),
      }),
    ]);
  };
  const attrs = { stroke: "var(--on-felt)", "stroke-width": 1.6, "stroke-opacity": 0.55, "stroke-linecap": "round" };
  return group({ transform: at(x, y), ...attrs }, [125, 245, 5].map(arrow));
}

/** @param {number} seat @param {State} state @param {View} view */
function tray(seat, state, view) {
  const { trayWidth, trayHeight, type } = layout(view);
  const [x, y] = place(seat, view);
  const [left, top] = [x - trayWidth / 2, y - trayHeight / 2];
  const lit = isLit(seat, state, view);
  const won = lit && isOver(state, view);
  /** @type {Boards.Cell} */
  const cell = {
    name: `seat-${seat}`,
    label: trayWords(seat, state, view),
    box: [left, top, trayWidth, trayHeight],
    playable: mayThrow(seat, view),
  };
  return group({ key: `seat-${seat}`, cell, opacity: state.present[seat] ? null : 0.6 }, [
    rect(left, top + 2, trayWidth, trayHeight, { rx: 12, ...SHADE }),
    rect(left, top, trayWidth, trayHeight, {
      rx: 12,
      fill: "var(--felt-deep)",
      stroke: lit ? "var(--mark)" : "var(--wood-light)",
      "stroke-width": lit ? 4 : 1.5,
      "stroke-dasharray": state.present[seat] ? null : "5 4",
    }),
    view.narrow ? colours(seat, left, top, won, view) : namePlate(seat, left, top, lit, won, view),
    ...diceOf(seat, state, view),
    !view.small && text(x, top + trayHeight - 14, countWords(seat, state), { size: type - 1, fill: "var(--on-felt)" }),
  ]);
}

/**
 * The mark of a tray whose name is drawn elsewhere.
 *
 * @param {number} seat
 * @param {number} left
 * @param {number} top
 * @param {boolean} won
 * @param {View} view
 */
function colours(seat, left, top, won, view) {
  const { trayWidth, trayHeight } = layout(view);
  return group({ key: "name" }, [
    rect(left + 11, top + 4, trayWidth - 22, 6, { rx: 3, fill: "var(--seat-bed)" }),
    rect(left + 12, top + 5, trayWidth - 24, 4, { rx: 2, fill: seatFill(seat) }),
    owner(seat, left + 20, top + trayHeight - 18, won),
  ]);
}

/** @param {number} seat @param {number} left @param {number} top @param {boolean} lit @param {boolean} won @param {View} view */
function namePlate(seat, left, top, lit, won, view) {
  const { trayWidth, type } = layout(view);
  const middleLine = top + 4 + NAME_HEIGHT / 2;
  const { words, size } = fitted(nameOf(seat, view), trayWidth - 44, type, lit);
  return group({ key: "name" }, [
    rect(left + 4, top + 4, trayWidth - 8, NAME_HEIGHT, { rx: 8, fill: lit ? "var(--mark)" : "var(--card)" }),
    rect(left + 9, top + NAME_HEIGHT + 4, trayWidth - 18, 6, { rx: 3, fill: "var(--seat-bed)" }),
    rect(left + 10, top + NAME_HEIGHT + 5, trayWidth - 20, 4, { rx: 2, fill: seatFill(seat) }),
    owner(seat, left + 18, middleLine, won),
    !view.small && text(left + 32, middleLine, words, {
      size,
      "text-anchor": "start",
      "font-weight": lit ? 700 : 500,
      fill: lit ? "var(--mark-edge)" : "var(--ink)",
    }),
  ]);
}

/** The mark of a seat, or the star of a winner. @param {number} seat @param {number} x @param {number} y @param {boolean} won */
const owner = (seat, x, y, won) => (won ? star(x, y, 10) : seatMark(seat, x, y, 8.5, { key: "mark" }));

/**
 * The dice of a seat; those about to be thrown are in a hand that shakes them, and show no face.
 *
 * @param {number} seat
 * @param {State} state
 * @param {View} view
 */
function diceOf(seat, state, view) {
  const shaken = Boolean(state.due) && seat === state.turn;
  return spots(seat, state.dice[seat].length, view).map(({ x, y, size, turn }, nth) => {
    const face = state.dice[seat][nth];
    if (face === null) {
      return null;
    }
    return die(shaken ? 0 : face || RESTING[(nth + seat) % RESTING.length], x, y, size, {
      turn: shaken ? 5 * turn : turn,
      strong: state.landing === seat && isHandedOn(face),
      key: `die-${nth}`,
    });
  });
}
