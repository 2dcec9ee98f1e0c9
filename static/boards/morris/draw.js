/**
 * The drawing of the board, the men and the rails.
 *
 * @typedef {import("./position.js").State} State
 * @typedef {import("./position.js").View} View
 */

import { SHADE, at, circle, gradient, group, line, path, rect, round, scatter, shape, star, text } from "../../shapes/svg.js";
import { say } from "../../words/sentences.js";
import { isTray, planOf, radius, railOf, railRoom, socket, spot, step, trayCell } from "./layout.js";
import { FILES, boardOf, inMill, isPlacing, lost, manOn, ownerOf } from "./position.js";
import { manWords } from "./words.js";

/* global gettext */

// Drawing

/** @param {State} state @param {View} view */
export function draw(state, view) {
  return [
    definitions(),
    plank(view),
    group({ key: "lines" }, engraving(state, view)),
    group({ key: "names" }, view.small ? [] : coordinates(state, view)),
    group({ key: "mills" }, mills(state, view)),
    ...[0, 1].map((seat) => drawRail(seat, state, view)),
    ...boardOf(state).points.map((point) => drawPoint(point, state, view)),
  ];
}

function definitions() {
  /** @param {string} colour */
  const skin = (colour) =>
    gradient("radialGradient", `morris-${colour}`, [
      [0, `var(--man-${colour})`],
      [0.7, `var(--man-${colour})`],
      [1, `var(--man-${colour}-edge)`],
    ], { cx: 0.42, cy: 0.36, r: 0.78 });
  return shape("defs", { key: "defs" }, [
    gradient("linearGradient", "morris-wood", [
      [0, "var(--wood-light)"],
      [0.5, "var(--wood)"],
      [1, "var(--wood-dark)"],
    ], { x2: 0.35, y2: 1 }),
    skin("white"),
    skin("black"),
  ]);
}

/** @param {View} view */
function plank(view) {
  const { size: [width, height], corner, thick } = planOf(view);
  return group({ key: "plank" }, [
    rect(1, 3, width - 2, height - 3, { rx: corner, fill: "var(--wood-edge)" }),
    rect(1, 1, width - 2, height - thick, { rx: corner, fill: "url(#morris-wood)" }),
    !view.small && path(grain(width, height), { fill: "none", stroke: "var(--wood-grain)", "stroke-opacity": 0.22, "stroke-width": height / 400 }),
  ]);
}

/** Slightly wavy lines along the plank. @param {number} width @param {number} height */
function grain(width, height) {
  const waves = Array.from({ length: 17 }, (_, nth) => {
    const y = ((nth + 0.6) / 17.6) * height;
    const bend = (scatter(nth, 3) - 0.5) * height * 0.07;
    const end = y + (scatter(nth, 4) - 0.5) * height * 0.015;
    const inset = nth === 0 || nth === 16 ? height * 0.03 : 3;
    return `M${round(inset)} ${round(y)}C${round(width * 0.3)} ${round(y + bend)} ${round(width * 0.65)} ${round(y - bend)} ${round(width - inset)} ${round(end)}`;
  });
  return waves.join("");
}

/**
 * The lines, cut into the wood: a dark groove with light on its lower lip.
 *
 * @param {State} state
 * @param {View} view
 */
function engraving(state, view) {
  const { groove: width } = planOf(view);
  /** @param {number} shift @param {import("../../shapes/svg.js").Attrs} attrs */
  const groove = (shift, attrs) =>
    path(boardOf(state).lines.map((row) => {
      const [[ax, ay], [bx, by]] = [spot(row[0], state, view), spot(row[row.length - 1], state, view)];
      return `M${ax} ${round(ay + shift)}L${bx} ${round(by + shift)}`;
    }).join(""), { fill: "none", "stroke-width": width, "stroke-linecap": "round", ...attrs });
  return [
    groove(width * 0.4, { key: "lip", stroke: "var(--wood-light)", "stroke-opacity": 0.75 }),
    groove(0, { key: "groove", stroke: "var(--groove)" }),
  ];
}

/** @param {State} state @param {View} view */
function coordinates(state, view) {
  const { letters: [left, bottom, size], field: [x, y] } = planOf(view);
  const { side } = boardOf(state);
  const look = { class: "board-fine board-coordinate", size, fill: "var(--on-wood-soft)", "font-weight": 600 };
  return Array.from({ length: side }, (_, nth) => nth).flatMap((nth) => {
    const turned = view.bottom === 1 ? side - 1 - nth : nth;
    return [
      text(round(x + nth * step(state, view)), bottom, FILES[turned], { key: `file${nth}`, ...look }),
      text(left, round(y + (side - 1 - nth) * step(state, view)), turned + 1, { key: `rank${nth}`, ...look }),
    ];
  });
}

/** A glow along the lines of mills that were just closed. @param {State} state @param {View} view */
function mills(state, view) {
  const closed = state.lit ?? view.last?.events.filter(({ kind }) => kind === "milled").flatMap((event) => event.mills) ?? [];
  return closed.flatMap((mill) => {
    const [[ax, ay], [bx, by]] = [spot(mill[0], state, view), spot(mill[mill.length - 1], state, view)];
    const width = radius(state, view) * (state.lit ? 2.7 : 0.6);
    return [
      line(ax, ay, bx, by, { stroke: "var(--mark-edge)", "stroke-width": width + 2.5, "stroke-linecap": "round" }),
      line(ax, ay, bx, by, { stroke: "var(--mark)", "stroke-width": width, "stroke-linecap": "round" }),
    ];
  });
}

/**
 * A man: white ones are engraved with rings, black ones with a diamond.
 *
 * @param {number} seat
 * @param {number} x
 * @param {number} y
 * @param {number} r
 * @param {import("../../shapes/svg.js").Attrs} [attrs]
 */
export function man(seat, x, y, r, attrs = {}) {
  const colour = seat === 0 ? "white" : "black";
  return group({ transform: at(x, y, { scale: r }), ...attrs }, [
    circle(0, 0.13, 1.03, SHADE),
    circle(0, 0, 1, { fill: `url(#morris-${colour})`, stroke: `var(--man-${colour}-edge)`, "stroke-width": 0.08 }),
    ...engraved(seat, `var(--man-${colour}-line)`),
  ]);
}

/** What the men of a seat are engraved with. @param {number} seat @param {string} colour */
function engraved(seat, colour) {
  const cut = { fill: "none", stroke: colour, "stroke-width": 0.11, "stroke-linejoin": "round" };
  return seat === 0
    ? [circle(0, 0, 0.68, cut), circle(0, 0, 0.36, cut)]
    : [path("M0-0.72L0.72 0L0 0.72L-0.72 0Z", cut), path("M0-0.3L0.3 0L0 0.3L-0.3 0Z", { ...cut, fill: colour })];
}

/**
 * The mark of a side beside the name of its player: one of its men, visible on any background.
 *
 * @param {number} seat
 * @param {number} x
 * @param {number} y
 * @param {number} r
 */
export function mark(seat, x, y, r) {
  const colour = seat === 0 ? "white" : "black";
  return group({ transform: at(x, y, { scale: r }) }, [
    circle(0, 0, 1.14, { fill: "var(--seat-halo)" }),
    circle(0, 0, 1.04, { fill: `var(--man-${colour})`, stroke: "var(--seat-line)", "stroke-width": 0.14 }),
    ...engraved(seat, `var(--man-${colour}-line)`),
  ]);
}

// Rails

/** @param {number} seat @param {State} state @param {View} view */
function drawRail(seat, state, view) {
  const [x, y, width, height] = railOf(seat, view);
  const won = view.outcome?.winners.includes(seat);
  const active = won || (!view.outcome && state.turn === seat);
  const rx = Math.min(width, height) / 2;
  const frame = active
    ? { stroke: "var(--mark)", "stroke-width": view.narrow ? 3 : 5 }
    : { stroke: "var(--wood-edge)", "stroke-width": view.narrow ? 1.5 : 3 };
  return group({ key: `rail${seat}`, cell: railCell(seat, state, view) }, [
    rect(x, y, width, height, { key: "felt", rx, fill: "var(--felt-deep)", ...frame }),
    active && drawHead(seat, Boolean(won), view),
    ...Array.from({ length: state.options.men }, (_, nth) => drawSocket(seat, nth, state, view)),
  ]);
}

/** The turn, pointing to the field, or the star of the winner. @param {number} seat @param {boolean} won @param {View} view */
function drawHead(seat, won, view) {
  const [x, y, width, height] = railOf(seat, view);
  const { head, slot } = planOf(view);
  const [cx, cy] = view.narrow ? [x + head * 0.6, y + height / 2] : [x + width / 2, y + head * 0.6];
  if (won) {
    return star(cx, cy, slot * 0.7);
  }
  const turn = (view.narrow ? 90 : 0) + (seat === view.bottom ? 180 : 0);
  return path("M-0.6-0.8L0.8 0L-0.6 0.8Z", {
    key: "turn",
    transform: at(cx, cy, { turn, scale: slot * 0.7 }),
    fill: "var(--mark)",
    stroke: "var(--mark-edge)",
    "stroke-width": 0.12,
    "stroke-linejoin": "round",
  });
}

/**
 * A man in hand, the shadow of one that was lost, or an empty socket with what the men of the seat are engraved with.
 *
 * @param {number} seat
 * @param {number} nth
 * @param {State} state
 * @param {View} view
 */
function drawSocket(seat, nth, state, view) {
  const { x, y, r } = socket(seat, nth, state, view);
  if (nth < state.hand[seat]) {
    return man(seat, x, y, r, { key: `hand${nth}` });
  }
  const gone = nth >= state.options.men - lost(state, seat);
  return group({ key: `socket${nth}`, transform: at(x, y, { scale: r }), opacity: gone ? 0.9 : 0.4 }, [
    circle(0, 0, 0.92, { fill: "none", stroke: "var(--on-felt)", "stroke-width": 0.08 }),
    ...(gone ? [path("M-0.42-0.42L0.42 0.42M0.42-0.42L-0.42 0.42", LOST)] : engraved(seat, "var(--on-felt)")),
  ]);
}

const LOST = { fill: "none", stroke: "var(--on-felt)", "stroke-width": 0.2, "stroke-linecap": "round" };

/** @param {number} seat @param {State} state @param {View} view @returns {Boards.Cell} */
function railCell(seat, state, view) {
  const words = { name: view.names[seat], hand: state.hand[seat], lost: lost(state, seat) };
  const label = seat === view.seat
    ? gettext("Your men in hand: %(hand)s. Men you have lost: %(lost)s.")
    : gettext("%(name)s’s men in hand: %(hand)s. Men %(name)s has lost: %(lost)s.");
  const playable = seat === view.seat && view.legal.some(isPlacing);
  return { name: trayCell(seat), label: say(label, words), box: railRoom(seat, view), playable };
}

// Points

/** @param {string} point @param {State} state @param {View} view */
function drawPoint(point, state, view) {
  const [x, y] = spot(point, state, view);
  const seat = ownerOf(manOn(state, point));
  const r = radius(state, view);
  const move = moveOf(point, view);
  const half = Math.max(r * 1.2, step(state, view) / 2);
  /** @type {Boards.Cell} */
  const cell = { name: point, label: label(point, state, view), box: [x - half, y - half, 2 * half, 2 * half], round: true, playable: move !== "" };
  return group({ key: point, cell }, [
    circle(x, y, r * 0.27, { key: "hole", fill: "var(--hollow-deep)", stroke: "var(--wood-light)", "stroke-width": r * 0.06 }),
    ...(seat < 0 ? [] : [man(seat, x, y, r, { key: "man" })]),
    lastMark(point, view, x, y, r),
    MARKS[move]?.(x, y, r),
  ]);
}

/**
 * The effect of pressing a point: "take", "hold" (selected), "lift", "arrive", "place" or "".
 *
 * @param {string} point
 * @param {View} view
 */
function moveOf(point, { legal, selection }) {
  if (legal.includes(`x${point}`)) {
    return "take";
  }
  if (selection === point) {
    return "hold";
  }
  if (selection !== null && !isTray(selection) && legal.includes(`${selection}-${point}`)) {
    return "arrive";
  }
  if (legal.some((move) => move.startsWith(`${point}-`))) {
    return "lift";
  }
  return legal.includes(point) && (selection === null || isTray(selection)) ? "place" : "";
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} r
 * @param {number} width
 * @param {import("../../shapes/svg.js").Attrs} [attrs]
 */
const ring = (x, y, r, width, attrs) => [
  circle(x, y, r, { fill: "none", stroke: "var(--mark-edge)", "stroke-width": width * 1.9, ...attrs }),
  circle(x, y, r, { fill: "none", stroke: "var(--mark)", "stroke-width": width, ...attrs }),
];

/** @type {Record<string, (x: number, y: number, r: number) => Boards.Shape>} */
const MARKS = {
  /** @param {number} x @param {number} y @param {number} r */
  place: (x, y, r) => circle(x, y, r * 0.27, { key: "place", fill: "var(--mark)", stroke: "var(--mark-edge)", "stroke-width": r * 0.09 }),
  /** @param {number} x @param {number} y @param {number} r */
  arrive: (x, y, r) => group({ key: "arrive" }, [
    ...ring(x, y, r * 0.72, r * 0.13),
    circle(x, y, r * 0.27, { fill: "var(--mark)", stroke: "var(--mark-edge)", "stroke-width": r * 0.09 }),
  ]),
  /** @param {number} x @param {number} y @param {number} r */
  lift: (x, y, r) => group({ key: "lift" }, ring(x, y, r * 1.12, r * 0.08)),
  /** @param {number} x @param {number} y @param {number} r */
  hold: (x, y, r) => group({ key: "hold" }, ring(x, y, r * 1.14, r * 0.2)),
  /** @param {number} x @param {number} y @param {number} r */
  take: (x, y, r) => {
    return group({ key: "take", fill: "none", "stroke-linecap": "round" }, [
      ...ring(x, y, r * 1.12, r * 0.12, { "stroke-dasharray": `${round(r * 0.5)} ${round(r * 0.38)}` }),
      path(cross(x, y, r * 0.46), { stroke: "var(--mark-edge)", "stroke-width": r * 0.44 }),
      path(cross(x, y, r * 0.46), { stroke: "var(--mark)", "stroke-width": r * 0.24 }),
    ]);
  },
};

/**
 * Marks the start and end of the last move, or a capture.
 *
 * @param {string} point
 * @param {View} view
 * @param {number} x
 * @param {number} y
 * @param {number} r
 */
function lastMark(point, view, x, y, r) {
  const events = view.last?.events ?? [];
  const mark = { key: "last", fill: "none", stroke: "var(--mark)", "stroke-width": r * 0.1, "stroke-linecap": "round" };
  if (events.some(({ kind, to, point: placed }) => to === point || (kind === "placed" && placed === point))) {
    return circle(x, y, r * 0.24, { key: "last", fill: "var(--mark)", stroke: "var(--mark-edge)", "stroke-width": r * 0.07 });
  }
  if (events.some(({ start }) => start === point)) {
    return circle(x, y, r * 0.6, { ...mark, "stroke-dasharray": `${round(r * 0.22)} ${round(r * 0.25)}` });
  }
  return events.some(({ kind, point: gone }) => kind === "removed" && gone === point) && path(cross(x, y, r * 0.55), mark);
}

/** @param {number} x @param {number} y @param {number} reach */
function cross(x, y, reach) {
  const whole = round(2 * reach);
  return `M${round(x - reach)} ${round(y - reach)}l${whole} ${whole}m0 ${-whole}l${-whole} ${whole}`;
}

// Words

/** @param {string} point @param {State} state @param {View} view */
function label(point, state, view) {
  const seat = ownerOf(manOn(state, point));
  const what = seat < 0 ? gettext("empty") : [manWords(seat, view), inMill(state, point) && gettext("in a mill")];
  /** @type {Record<string, string>} */
  const uses = {
    take: gettext("can be taken"),
    hold: gettext("selected"),
    arrive: gettext("can be moved to"),
    lift: gettext("can be moved"),
    place: gettext("a man can be placed here"),
  };
  return [point, what, uses[moveOf(point, view)]].flat().filter(Boolean).join(", ");
}

/** From point to point, or one point. @param {string} move @param {State} state @param {View} view @returns {Boards.Track[]} */
export const tracks = (move, state, view) => [
  { spots: move.replace("x", "").split("-").map((point) => [...spot(point, state, view), radius(state, view)]) },
];

/** @param {string} cell @param {State} state @param {View} view */
export function held(cell, state, view) {
  const movable = isTray(cell)
    ? cell === trayCell(view.seat) && view.legal.some(isPlacing)
    : view.legal.some((move) => move.startsWith(`${cell}-`));
  return movable && view.seat !== null ? man(view.seat, 0, 0, radius(state, view) * 1.08) : null;
}
