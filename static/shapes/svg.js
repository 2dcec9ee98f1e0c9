/**
 * Shapes: the drawing primitives of boards. A shape is a plain object, so that boards stay pure and can be tested
 * without a browser; patch.js renders shapes.
 *
 * Lengths are in units of the board's own viewBox. Colours are tokens: `var(--wood)`.
 *
 * @typedef {object} Shape
 * @property {string} tag an SVG element's name
 * @property {Record<string, string|number>} attrs
 * @property {Shape[]|string} children shapes, or the text of a <text>
 * @property {string|number} [key] keeps the element when its neighbours come and go; unique among siblings
 * @property {Cell} [cell] makes this shape a cell of the board
 *
 * @typedef {object} Cell a focusable, pressable cell
 * @property {string} name as `cells()` and `pick()` know it
 * @property {string} label its whole accessible name, translated
 * @property {[number, number, number, number]} box x, y, width, height of the target
 * @property {boolean} [round] the focus ring is an ellipse, not a rectangle
 * @property {boolean} [playable] pressing it has an effect now
 * @property {string} [hotkey] a key that presses it from anywhere on the page
 *
 * @typedef {string|number|boolean|null|undefined} Value of an attribute; only texts and numbers are drawn
 * @typedef {{[name: string]: Value|Cell, key?: string|number, cell?: Cell}} Attrs
 * @typedef {Shape|false|null|undefined|""|0} Child falsy children are skipped
 */

import { OUTLINES } from "./outlines.js";

/** Seats with a mark of their own. */
export const SEATS = 8;

/**
 * @param {string} tag
 * @param {Attrs} [attrs] `key` and `cell` are extracted; attributes that are neither text nor number are dropped
 * @param {Child[]|string} [children] null and false children are dropped
 * @returns {Shape}
 */
export function shape(tag, { key, cell, ...attrs } = {}, children = []) {
  const shown = typeof children === "string" ? children : children.filter((child) => typeof child === "object" && child !== null);
  /** @type {Shape} */
  const made = { tag, attrs: {}, children: shown };
  for (const [name, value] of Object.entries(attrs)) {
    if (typeof value === "string" || typeof value === "number") {
      made.attrs[name] = value;
    }
  }
  if (key !== undefined) {
    made.key = key;
  }
  if (cell) {
    made.cell = cell;
  }
  return made;
}

/** @param {Attrs} attrs @param {Child[]} children */
export const group = (attrs, children) => shape("g", attrs, children);

/** @param {number} cx @param {number} cy @param {number} r @param {Attrs} [attrs] */
export const circle = (cx, cy, r, attrs) => shape("circle", { cx, cy, r, ...attrs });

/** @param {number} cx @param {number} cy @param {number} rx @param {number} ry @param {Attrs} [attrs] */
export const ellipse = (cx, cy, rx, ry, attrs) => shape("ellipse", { cx, cy, rx, ry, ...attrs });

/** @param {number} x @param {number} y @param {number} width @param {number} height @param {Attrs} [attrs] */
export const rect = (x, y, width, height, attrs) => shape("rect", { x, y, width, height, ...attrs });

/** @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2 @param {Attrs} [attrs] */
export const line = (x1, y1, x2, y2, attrs) => shape("line", { x1, y1, x2, y2, ...attrs });

/** @param {string} d @param {Attrs} [attrs] */
export const path = (d, attrs) => shape("path", { d, ...attrs });

/**
 * Text centred on a point; `size` is the font size.
 *
 * @param {number} x
 * @param {number} y
 * @param {string|number} words
 * @param {Attrs & {size?: number}} [look]
 */
export function text(x, y, words, { size = 16, ...attrs } = {}) {
  return shape(
    "text",
    { x, y, "font-size": size, "text-anchor": "middle", "dominant-baseline": "central", ...attrs },
    String(words),
  );
}

/**
 * `attrs.transform` for a shape centred on 0, 0.
 *
 * @param {number} x
 * @param {number} y
 * @param {{turn?: number, scale?: number}} [look]
 */
export function at(x, y, { turn = 0, scale = 1 } = {}) {
  return `translate(${round(x)} ${round(y)})${turn ? ` rotate(${round(turn)})` : ""}${scale === 1 ? "" : ` scale(${round(scale)})`}`;
}

/** Two decimals are finer than a pixel, and short. @param {number} number */
export function round(number) {
  return Math.round(number * 100) / 100;
}

/**
 * A gradient definition in token colours, used as `url(#id)`.
 *
 * @param {"linearGradient"|"radialGradient"} tag
 * @param {string} id
 * @param {Array<[offset: number, colour: string, opacity?: number]>} stops
 * @param {Attrs} [attrs]
 */
export function gradient(tag, id, stops, attrs = {}) {
  return shape(
    tag,
    { id, key: id, ...attrs },
    stops.map(([offset, colour, opacity]) =>
      shape("stop", { offset, "stop-color": colour, "stop-opacity": opacity }),
    ),
  );
}

/**
 * A deterministic pseudo-random number in [0, 1) from integers, the same on every screen. (The finalising steps of
 * MurmurHash3.)
 *
 * @param {...number} integers
 */
export function scatter(...integers) {
  let hash = 0x9e3779b9;
  for (const integer of integers) {
    hash = Math.imul(hash ^ (integer + 1), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    hash ^= hash >>> 16;
  }
  return (hash >>> 0) / 2 ** 32;
}

/** The colour of a seat, and the text colour on it. @param {number} seat */
const seatColour = (seat) => `var(--seat-${seat % SEATS})`;
/** @param {number} seat */
const onSeat = (seat) => `var(--on-seat-${seat % SEATS})`;

/**
 * The mark of a seat: its outline, colour and emblem. It is visible on any background, since either its line or its
 * halo is light and the other dark.
 *
 * @param {number} seat 0..7
 * @param {number} x
 * @param {number} y
 * @param {number} r radius of the circle the mark fills
 * @param {Attrs} [attrs]
 */
export function seatMark(seat, x, y, r, attrs = {}) {
  const nth = seat % SEATS;
  return group({ transform: at(x, y, { scale: r }), ...attrs }, [
    path(OUTLINES.outlines[nth], {
      fill: "none",
      stroke: "var(--seat-halo)",
      "stroke-width": 0.44,
      "stroke-linejoin": "round",
    }),
    path(OUTLINES.outlines[nth], {
      fill: seatColour(seat),
      stroke: "var(--seat-line)",
      "stroke-width": 0.16,
      "stroke-linejoin": "round",
    }),
    OUTLINES.emblems[nth] && path(OUTLINES.emblems[nth], {
      fill: "none",
      stroke: onSeat(seat),
      "stroke-width": nth === 2 || nth === 5 ? 0.55 : 0.24,
      "stroke-linecap": "round",
    }),
  ]);
}

/**
 * Definitions of a filled pattern per seat; draw them once, before `seatFill` is used.
 *
 * @param {number} seats how many seats the match has
 * @param {number} size side of a tile in units of the board
 */
export function seatPatterns(seats, size = 8) {
  /** @param {number} seat */
  const tile = (seat) =>
    shape(
      "pattern",
      {
        id: `seat-fill-${seat}`,
        key: seat,
        width: 8,
        height: 8,
        patternUnits: "userSpaceOnUse",
        patternTransform: `scale(${size / 8})`,
      },
      [
        rect(0, 0, 8, 8, { fill: seatColour(seat) }),
        OUTLINES.weaves[seat] && path(OUTLINES.weaves[seat], {
          stroke: onSeat(seat),
          "stroke-width": seat === 2 ? 3 : 1.4,
          "stroke-linecap": "round",
          "stroke-opacity": 0.75,
        }),
      ],
    );
  return shape("defs", { key: "seat-patterns" }, Array.from({ length: Math.min(seats, SEATS) }, (_, seat) => tile(seat)));
}

/**
 * The `fill` of an area that belongs to a seat: colour and pattern together. Put it on a shape of `var(--seat-bed)`, or
 * dark seats blend into the background.
 *
 * @param {number} seat
 */
export const seatFill = (seat) => `url(#seat-fill-${seat % SEATS})`;

/** The look of a shadow on a board. */
export const SHADE = Object.freeze({ fill: "var(--shade)", "fill-opacity": 0.35 });

/**
 * A die seen from above, centred on x, y.
 *
 * @param {number} face 1..6, or 0 for a die without a face yet
 * @param {number} x
 * @param {number} y
 * @param {number} size length of an edge
 * @param {Attrs & {turn?: number, strong?: boolean}} [look] `turn` in degrees; `strong` pips stand out (in colour and size)
 */
export function die(face, x, y, size, { turn = 0, strong = false, ...attrs } = {}) {
  const edge = size / 2;
  const pip = size * (strong ? 0.115 : 0.095);
  return group({ transform: at(x, y, { turn }), ...attrs }, [
    rect(-edge, -edge + size * 0.05, size, size, { rx: size * 0.2, ...SHADE }),
    rect(-edge, -edge, size, size, {
      rx: size * 0.2,
      fill: "var(--die)",
      stroke: "var(--die-edge)",
      "stroke-width": size * 0.035,
    }),
    ...OUTLINES.pips[face].map(([px, py]) =>
      circle(round(px * size * 0.25), round(py * size * 0.25), round(pip), {
        fill: strong ? "var(--die-pip-strong)" : "var(--die-pip)",
      }),
    ),
  ]);
}

/** A die lies askew, each a little differently. @param {number} nth @param {number} face @returns {number} degrees */
export const dieTurn = (nth, face) => round(12 * scatter(nth, face) - 6);

/**
 * A number in strokes, centred on a point: it looks the same in every typeface, and on pictures.
 *
 * @param {number} value
 * @param {number} x
 * @param {number} y
 * @param {number} height of its digits
 * @param {Attrs} look `stroke` is its colour
 */
export function number(value, x, y, height, look) {
  const digits = [...String(value)];
  const pitch = 5.6;
  const left = -(pitch * (digits.length - 1) + 4) / 2;
  return group({ transform: at(x, y, { scale: height / 6 }), fill: "none", "stroke-width": 0.9, "stroke-linecap": "round", "stroke-linejoin": "round", ...look },
    digits.map((digit, nth) => path(OUTLINES.digits[Number(digit)], { transform: at(left + nth * pitch, -3) })));
}

/** The star of a winner. @param {number} x @param {number} y @param {number} r */
export const star = (x, y, r) =>
  path(OUTLINES.outlines[5], {
    transform: at(x, y, { scale: r }),
    fill: "var(--mark)",
    stroke: "var(--mark-edge)",
    "stroke-width": 0.16,
    "stroke-linejoin": "round",
  });
