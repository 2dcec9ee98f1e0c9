/**
 * The boards of Nine Men's Morris and its relatives: squares of lines on a plank, the men, and a rail for each side, with
 * a socket for each of its men: those in hand come first, those lost last. games/pictures/morris.py draws the same shapes.
 *
 * Points are named by file and rank, as the rules name them. `state.board` has a letter for each, from the top rank
 * down and from left to right. During an animation a state may also have `lit`, the flashing mills, and `flying`, the
 * seat of the moving man.
 *
 * @typedef {object} Options
 * @property {keyof typeof PLAN.boards} board
 * @property {number} men
 * @property {boolean} early_slides
 * @property {boolean} flying
 *
 * @typedef {object} Own the fields of this game's state
 * @property {Options} options
 * @property {string} board
 * @property {number[]} hand
 * @property {number} takes
 * @property {string[][]} [lit]
 * @property {number} [flying]
 *
 * @typedef {Boards.State & Own} State
 * @typedef {Boards.View<Event>} View
 *
 * @typedef {object} Event the fields of all kinds; the kind determines which are set
 * @property {string} kind
 * @property {number} seat
 * @property {string} point
 * @property {string} start
 * @property {string} to
 * @property {string[][]} mills
 * @property {number} takes
 *
 * @typedef {{side: number, points: string[], lines: string[][]}} Board
 * @typedef {{x: number, y: number, r: number}} Socket
 */

/* global gettext, ngettext */

import { SHADE, at, circle, gradient, group, line, path, rect, round, scatter, shape, star, text } from "../shapes/svg.js";
import { listed, oneOf, say } from "../words/sentences.js";
import { PLAN } from "./plans/morris.js";

const MEN = "WB";
const EMPTY = ".";
const FILES = "abcdefg";
/** The radius of a man, in the distance of two points. */
const BREADTH = 0.4;

/** The least touch target, in units of the narrow view box on the narrowest phone. */
const THUMB = 48;

/** @param {View} view */
const planOf = (view) => (view.narrow ? PLAN.narrow : PLAN.wide);

// The points and lines of a board

/** @type {Record<string, Board>} */
const BOARDS = Object.fromEntries(Object.entries(PLAN.boards).map(([name, lines]) => [name, makeBoard(lines)]));

/** @param {State} state */
const boardOf = (state) => BOARDS[state.options.board];

/** @param {string} text the lines of a board @returns {Board} */
function makeBoard(text) {
  const lines = text.split(" ").map((row) => row.split("-"));
  const points = [...new Set(lines.flat())].sort((a, b) => Number(b[1]) - Number(a[1]) || a.localeCompare(b));
  return { side: Math.max(...points.map((point) => Number(point[1]))), points, lines };
}

/** @param {State} state @param {string} point */
const manOn = (state, point) => state.board[boardOf(state).points.indexOf(point)];
/** @param {string} man */
const ownerOf = (man) => MEN.indexOf(man);

/** @param {State} state @param {string} point */
function inMill(state, point) {
  const man = manOn(state, point);
  return boardOf(state).lines.some((row) =>
    row.length === 3 && row.includes(point) && row.every((other) => manOn(state, other) === man),
  );
}

/** @param {State} state @param {number} seat */
const onBoard = (state, seat) => [...state.board].filter((man) => man === MEN[seat]).length;

/** Men that a seat has lost, without one in motion. @param {State} state @param {number} seat */
const lost = (state, seat) =>
  state.options.men - state.hand[seat] - onBoard(state, seat) - (state.flying === seat ? 1 : 0);

/** @param {State} state */
function flies(state) {
  return state.options.flying && state.hand[state.turn] === 0 && onBoard(state, state.turn) === 3;
}

// Layout

/** @param {State} _state @param {View} view */
export const viewBox = (_state, view) => /** @type {Boards.Size} */ (planOf(view).size);

/** The distance of two neighbouring files. @param {State} state @param {View} view */
const step = (state, view) => planOf(view).field[2] / (boardOf(state).side - 1);
/** @param {State} state @param {View} view */
const radius = (state, view) => Math.min(step(state, view) * BREADTH, planOf(view).man);

/**
 * The centre of a point, rotated for the other side.
 *
 * @param {string} point
 * @param {State} state
 * @param {View} view
 * @returns {[number, number]}
 */
function spot(point, state, view) {
  const last = boardOf(state).side - 1;
  const [file, rank] = [FILES.indexOf(point[0]), Number(point[1]) - 1];
  const [right, down] = view.bottom === 1 ? [last - file, rank] : [file, last - rank];
  const [x, y] = planOf(view).field;
  return [round(x + right * step(state, view)), round(y + down * step(state, view))];
}

/** The rail of a seat: left and right of the field, or above and below; the bottom seat's comes last. @param {number} seat @param {View} view */
const railOf = (seat, view) => planOf(view).rails[seat === view.bottom ? 1 : 0];

/**
 * The touch target of a rail: a low one extends over the edge of the plank and a little into the field.
 *
 * @param {number} seat
 * @param {View} view
 * @returns {[x: number, y: number, width: number, height: number]}
 */
function railRoom(seat, view) {
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
function socket(seat, nth, state, view) {
  const [x, y, width, height] = railOf(seat, view);
  const { head, slot } = planOf(view);
  const pitch = ((view.narrow ? width : height) - head - slot / 2) / state.options.men;
  const along = head + (nth + 0.5) * pitch;
  const r = round(Math.min(slot, pitch * 0.46));
  return view.narrow ? { x: round(x + along), y: y + height / 2, r } : { x: x + width / 2, y: round(y + along), r };
}

/** @param {number|null} seat */
const trayCell = (seat) => `hand${seat}`;
/** @param {string} cell */
const isTray = (cell) => cell.startsWith("hand");

/** @param {State} state @param {View} view */
export function cells(state, view) {
  const { side, points } = boardOf(state);
  const rows = Array.from({ length: side }, (_, down) =>
    Array.from({ length: side }, (__, right) => {
      const name = `${FILES[right]}${side - down}`;
      return points.includes(name) ? name : null;
    }),
  );
  const seen = view.bottom === 1 ? rows.reverse().map((row) => row.reverse()) : rows;
  const [first, last] = [trayCell(1 - view.bottom), trayCell(view.bottom)];
  if (view.narrow) {
    /** @param {string} name */
    const whole = (name) => Array.from({ length: side }, () => name);
    return [whole(first), ...seen, whole(last)];
  }
  const middle = (side - 1) / 2;
  return seen.map((row, down) => [down === middle ? first : null, ...row, down === middle ? last : null]);
}

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
  /** @param {number} shift @param {import("../shapes/svg.js").Attrs} attrs */
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
  const look = { class: "board-fine", size, fill: "var(--on-wood-soft)", "font-weight": 600 };
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
 * @param {import("../shapes/svg.js").Attrs} [attrs]
 */
function man(seat, x, y, r, attrs = {}) {
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

/** @param {string} move */
const isPlacing = (move) => !move.includes("-") && !move.startsWith("x");

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
 * @param {import("../shapes/svg.js").Attrs} [attrs]
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

/** @param {number} seat @param {View} view */
function manWords(seat, view) {
  if (seat === view.seat) {
    return seat === 0 ? gettext("your white man") : gettext("your black man");
  }
  return say(seat === 0 ? gettext("%(name)s’s white man") : gettext("%(name)s’s black man"), { name: view.names[seat] });
}

/** @param {State} state @param {View} view */
export function summary(state, view) {
  const due = state.takes > 0 ? gettext("Take a man.") : "";
  return [sideWords(view.bottom, state, view), sideWords(1 - view.bottom, state, view), due].filter(Boolean).join(" ");
}

/** @param {number} seat @param {State} state @param {View} view */
function sideWords(seat, state, view) {
  const points = boardOf(state).points.filter((point) => manOn(state, point) === MEN[seat]);
  const words = { name: view.names[seat], points: listed(points) || gettext("no men on the board"), hand: state.hand[seat] };
  if (seat === view.seat) {
    return say(seat === 0
      ? gettext("You are white: %(points)s; in hand: %(hand)s.")
      : gettext("You are black: %(points)s; in hand: %(hand)s."), words);
  }
  return say(seat === 0
    ? gettext("%(name)s is white: %(points)s; in hand: %(hand)s.")
    : gettext("%(name)s is black: %(points)s; in hand: %(hand)s."), words);
}

/** Up to so many empty points are listed by name. */
const MOST_NAMED = 6;

/**
 * The choices of the player on turn; for a selected man, its destinations.
 *
 * @param {State} state
 * @param {Boards.Sight & {selection?: string|null}} view
 */
export function prompt(state, { legal, selection = null }) {
  const taken = legal.filter((move) => move.startsWith("x")).map((move) => move.slice(1));
  if (taken.length) {
    return say(gettext("Take the man on %(points)s."), { points: oneOf(taken) });
  }
  const ways = legal.filter((move) => move.includes("-")).map((move) => move.split("-"));
  if (selection !== null && !isTray(selection)) {
    const points = oneOf(ways.filter(([start]) => start === selection).map(([, to]) => to));
    return say(gettext("The man on %(start)s can go to %(points)s."), { start: selection, points });
  }
  const free = legal.filter(isPlacing);
  const movable = [...new Set(ways.map(([start]) => start))];
  return [
    free.length && placeWords(free),
    movable.length && say(free.length ? gettext("Or move the man on %(points)s.") : gettext("Move the man on %(points)s."), { points: oneOf(movable) }),
  ].filter(Boolean).join(" ");
}

/** @param {string[]} free */
function placeWords(free) {
  return free.length > MOST_NAMED
    ? say(ngettext("Place a man on any of the %(count)s empty point.", "Place a man on any of the %(count)s empty points.", free.length), { count: free.length })
    : say(gettext("Place a man on %(points)s."), { points: oneOf(free) });
}

/** @param {Event} event @param {View} view */
export function narrate(event, view) {
  return NARRATED[event.kind]?.(event, view, { ...event, name: view.names[event.seat] }) ?? "";
}

/** @type {Record<string, (event: Event, view: View, words: object) => string>} */
const NARRATED = {
  /** @param {Event} event @param {View} view @param {object} words */
  placed({ seat }, view, words) {
    return say(seat === view.seat ? gettext("You placed a man on %(point)s.") : gettext("%(name)s placed a man on %(point)s."), words);
  },
  /** @param {Event} event @param {View} view @param {object} words */
  slid({ seat }, view, words) {
    return say(seat === view.seat
      ? gettext("You slid a man from %(start)s to %(to)s.")
      : gettext("%(name)s slid a man from %(start)s to %(to)s."), words);
  },
  /** @param {Event} event @param {View} view @param {object} words */
  flew({ seat }, view, words) {
    return say(seat === view.seat
      ? gettext("You flew a man from %(start)s to %(to)s.")
      : gettext("%(name)s flew a man from %(start)s to %(to)s."), words);
  },
  /** @param {Event} event @param {View} view @param {object} words */
  milled({ seat, takes }, view, words) {
    const mine = seat === view.seat;
    if (takes === 0) {
      return say(mine
        ? gettext("You closed a mill, but no man can be taken.")
        : gettext("%(name)s closed a mill, but no man can be taken."), words);
    }
    return say(mine
      ? ngettext("You closed a mill: take a man.", "You closed two mills: take %(takes)s men.", takes)
      : ngettext("%(name)s closed a mill and takes a man.", "%(name)s closed two mills and takes %(takes)s men.", takes), words);
  },
  /** @param {Event} event @param {View} view @param {object} words */
  removed({ seat }, view, words) {
    if (seat === view.seat) {
      return say(gettext("You took the man on %(point)s."), words);
    }
    return say(view.seat === null ? gettext("%(name)s took the man on %(point)s.") : gettext("%(name)s took your man on %(point)s."), words);
  },
};

/**
 * The number of a seat's men, on the board and in hand: fewer than three lose.
 *
 * @param {State} state
 * @param {number} seat
 */
export function tally(state, seat) {
  return String(state.hand[seat] + onBoard(state, seat));
}

/** @param {Boards.Outcome} outcome @param {View} view */
export function result(outcome, view) {
  const seat = 1 - outcome.winners[0];
  const mine = seat === view.seat;
  const sentence = {
    reduced: mine ? gettext("You have only two men left.") : gettext("%(loser)s has only two men left."),
    blocked: mine ? gettext("You have no legal moves.") : gettext("%(loser)s has no legal moves."),
    repetition: gettext("The same position came up three times."),
    fifty: gettext("No man was taken in fifty moves each."),
    full: gettext("All men are placed and no point is empty."),
  }[outcome.reason];
  return sentence ? say(sentence, { loser: view.names[seat] }) : "";
}

// Input

/**
 * @param {string} cell
 * @param {string|null} selection
 * @param {string[]} legal
 * @param {State} state
 * @param {View} view
 */
export function pick(cell, selection, legal, state, view) {
  if (state.takes > 0) {
    return pickTaken(cell, legal, state, view);
  }
  if (isTray(cell)) {
    return pickTray(cell, selection, legal, view);
  }
  const seat = ownerOf(manOn(state, cell));
  if (seat === view.seat) {
    return pickMan(cell, selection, legal, state);
  }
  if (seat >= 0 && !legal.includes(`${selection}-${cell}`)) {
    return refuse(gettext("Your opponent’s man is on %(point)s."), { point: cell });
  }
  return pickEmpty(cell, selection, legal);
}

/** @param {string} sentence @param {object} [words] */
const refuse = (sentence, words = {}) => ({ refusal: say(sentence, words) });

/** @param {string} cell @param {string[]} legal @param {State} state @param {View} view */
function pickTaken(cell, legal, state, view) {
  if (legal.includes(`x${cell}`)) {
    return { move: `x${cell}` };
  }
  const seat = isTray(cell) ? -1 : ownerOf(manOn(state, cell));
  if (seat < 0) {
    return refuse(gettext("You closed a mill: take one of your opponent’s men."));
  }
  return seat === view.seat
    ? refuse(gettext("The man on %(point)s is your own. Take one of your opponent’s."), { point: cell })
    : refuse(gettext("The man on %(point)s is safe in a mill."), { point: cell });
}

/** @param {string} cell @param {string|null} selection @param {string[]} legal @param {View} view */
function pickTray(cell, selection, legal, view) {
  if (cell !== trayCell(view.seat)) {
    return refuse(gettext("These are your opponent’s men."));
  }
  if (!legal.some(isPlacing)) {
    return refuse(gettext("You have no men left to place."));
  }
  return { selection: selection === cell ? null : cell };
}

/** @param {string} point @param {string|null} selection @param {string[]} legal @param {State} state */
function pickMan(point, selection, legal, state) {
  if (selection === point) {
    return { selection: null };
  }
  if (legal.some((move) => move.startsWith(`${point}-`))) {
    return selection === null
      ? { selection: point }
      : { selection: point, ...refuse(gettext("Your man on %(point)s is now selected."), { point }) };
  }
  if (state.hand[state.turn] > 0 && !state.options.early_slides) {
    return refuse(gettext("Your own man is on %(point)s. Place all your men first: choose an empty point."), { point });
  }
  return selection === null
    ? refuse(gettext("The man on %(point)s cannot move: every point next to it is taken."), { point })
    : refuse(gettext("Your man on %(point)s cannot move: every point next to it is taken."), { point });
}

/** @param {string} point @param {string|null} selection @param {string[]} legal */
function pickEmpty(point, selection, legal) {
  if (selection !== null && !isTray(selection)) {
    const move = `${selection}-${point}`;
    return legal.includes(move)
      ? { move }
      : refuse(gettext("No line joins %(start)s and %(point)s."), { start: selection, point });
  }
  return legal.includes(point) ? { move: point } : refuse(gettext("Choose one of your men first, then where it goes."));
}

/**
 * Placing a man on an empty point, or moving an own man to an adjacent point, or anywhere if it flies. An opposing man
 * may have moved away by then. Captures are chosen after the mill is closed.
 *
 * @param {State} state
 * @param {number} seat
 * @returns {Boards.Premoves}
 */
export function premoves(state, seat) {
  const mine = { ...state, turn: seat, takes: 0 };
  const { points } = boardOf(mine);
  const placings = mine.hand[seat] > 0 ? points.filter((point) => manOn(mine, point) === EMPTY) : [];
  const slides = mine.hand[seat] === 0 || mine.options.early_slides;
  const men = slides ? points.filter((point) => manOn(mine, point) === MEN[seat]) : [];
  const pairs = men.flatMap((start) =>
    points.filter((point) => manOn(mine, point) !== MEN[seat] && (flies(mine) || areNeighbours(mine, start, point))).map((point) => [start, point]),
  );
  return {
    state: mine,
    moves: Object.fromEntries([...placings.map((point) => [point, [point]]), ...pairs.map(([start, point]) => [`${start}-${point}`, [start, point]])]),
  };
}

/** @param {State} state @param {string} start @param {string} point */
const areNeighbours = (state, start, point) =>
  boardOf(state).lines.some((row) => Math.abs(row.indexOf(start) - row.indexOf(point)) === 1 && row.includes(start) && row.includes(point));

// Advice

/** The state without the man that a move lifts. @param {string} move @param {State} state */
const lifted = (move, state) => (move.includes("-") ? put(state, move.split("-")[0], EMPTY) : state);
/** @param {string} move */
const target = (move) => move.split("-").at(-1) ?? "";

/**
 * The rows of three that one more man of a seat, on an empty point, would make a mill.
 *
 * @param {State} state
 * @param {string} point
 * @param {number} seat
 */
const almost = (state, point, seat) =>
  boardOf(state).lines.filter((row) => row.length === 3 && row.includes(point) && row.every((each) => each === point || manOn(state, each) === MEN[seat]));

/**
 * The points on which a seat could close a mill if it were its turn.
 *
 * @param {State} state
 * @param {number} seat
 */
function threats(state, seat) {
  const { points } = boardOf(state);
  const mine = { ...state, turn: seat };
  /** @param {string} point @param {string[]} row */
  const reaches = (point, row) =>
    mine.hand[seat] > 0 ||
    points.some((start) => manOn(mine, start) === MEN[seat] && !row.includes(start) && (flies(mine) || areNeighbours(mine, start, point)));
  return points.filter((point) => manOn(mine, point) === EMPTY && almost(mine, point, seat).some((row) => reaches(point, row)));
}

/** The position after a move that takes nothing. @param {string} move @param {State} state */
function after(move, state) {
  const landed = put(lifted(move, state), target(move), MEN[state.turn]);
  return move.includes("-") ? landed : dealt(landed, state.turn, -1);
}

/**
 * Advice for a newcomer: take a man that could close a mill; close one; block one; make two possible, or one.
 *
 * @param {State} state
 * @param {Boards.Sight} view
 * @returns {Boards.Advice|null}
 */
export function coach(state, { legal }) {
  const [mine, other] = [state.turn, 1 - state.turn];
  const theirs = threats(state, other);
  if (state.takes > 0) {
    const left = legal.map((move) => threats(put(state, move.slice(1), EMPTY), other).length);
    const least = Math.min(...left);
    const move = legal[left.indexOf(least)];
    return least < theirs.length
      ? { move, words: gettext("Take the glowing man: it could help to close a mill."), told: say(gettext("The man on %(point)s could help to close a mill."), { point: move.slice(1) }) }
      : null;
  }
  const mill = legal.find((move) => almost(lifted(move, state), target(move), mine).length > 0);
  if (mill) {
    return { move: mill, words: gettext("The glowing move closes a mill."), told: say(gettext("%(move)s closes a mill."), { move: mill }) };
  }
  const block = legal.find((move) => theirs.includes(target(move)));
  if (block) {
    return { move: block, words: gettext("The glowing move blocks your opponent’s mill."), told: say(gettext("%(move)s blocks your opponent’s mill."), { move: block }) };
  }
  const open = legal.map((move) => threats(after(move, state), mine).length);
  const most = Math.max(0, ...open);
  const move = legal[open.indexOf(most)];
  if (most === 0) {
    return null;
  }
  return most > 1
    ? { move, words: gettext("The glowing move threatens two mills: your opponent can block only one."), told: say(gettext("%(move)s threatens two mills: your opponent can block only one."), { move }) }
    : { move, words: gettext("After the glowing move, one more man closes a mill."), told: say(gettext("After %(move)s, one more man closes a mill."), { move }) };
}

/** No buttons: everything is played on the points. */
export function controls() {
  return [];
}

export const hasButtons = () => false;

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

// Motion

/** @param {Event} event @param {State} state @param {View} view */
export function motion(event, state, view) {
  return MOTIONS[event.kind]?.(event, state, view) ?? [];
}

/** @type {Record<string, (event: Event, state: State, view: View) => Boards.Frame<State>[]>} */
const MOTIONS = { placed, slid: moved, flew: moved, milled, removed };

/** The sound of each event. */
export const sounds = Object.freeze({ placed: "place", slid: "slide", flew: "slide", milled: "mill", removed: "capture" });

/** @param {State} state @param {string} point @param {string} letter */
function put(state, point, letter) {
  const index = boardOf(state).points.indexOf(point);
  return { ...state, board: state.board.slice(0, index) + letter + state.board.slice(index + 1) };
}

/** @param {State} state @param {number} seat @param {number} count */
const dealt = (state, seat, count) => ({ ...state, hand: state.hand.map((men, each) => (each === seat ? men + count : men)) });

/** @param {Event} event @param {State} state @param {View} view @returns {Boards.Frame<State>[]} */
function placed({ seat, point }, state, view) {
  const lifted = dealt(state, seat, -1);
  const from = socket(seat, lifted.hand[seat], state, view);
  const flying = man(seat, 0, 0, radius(state, view));
  return [
    // A lifted man is in motion, not lost: the rails count hands and board.
    { state: { ...lifted, flying: seat }, ms: 0 },
    { state: put(lifted, point, MEN[seat]), ms: 380, fly: [{ shape: flying, from: [from.x, from.y], to: spot(point, state, view) }] },
  ];
}

/** @param {Event} event @param {State} state @param {View} view @returns {Boards.Frame<State>[]} */
function moved({ kind, seat, start, to }, state, view) {
  const lifted = { ...put(state, start, EMPTY), flying: seat };
  const landed = { ...put(put(state, start, EMPTY), to, MEN[seat]) };
  const flight = { shape: man(seat, 0, 0, radius(state, view)), from: spot(start, state, view), to: spot(to, state, view) };
  const arc = kind === "flew" ? step(state, view) : 0;
  return [{ state: lifted, ms: 0 }, { state: landed, ms: kind === "flew" ? 520 : 300, fly: [{ ...flight, arc }] }];
}

/** The mills flash twice. @param {Event} event @param {State} state @returns {Boards.Frame<State>[]} */
function milled({ mills: closed }, state) {
  const lit = { ...state, lit: closed };
  const names = [...new Set(closed.flat())];
  return [
    { state: lit, ms: 0 },
    { state: { ...state, lit: [] }, ms: 340, flash: names },
    { state: lit, ms: 140 },
    { state, ms: 380, flash: names },
  ];
}

/** @param {Event} event @param {State} state @param {View} view @returns {Boards.Frame<State>[]} */
function removed({ seat, point }, state, view) {
  const lifted = { ...put(state, point, EMPTY), flying: 1 - seat };
  const to = socket(1 - seat, state.options.men - 1 - lost(state, 1 - seat), state, view);
  return [
    { state, ms: 240, flash: [point] },
    { state: lifted, ms: 0 },
    {
      state: put(state, point, EMPTY),
      ms: 480,
      fly: [{ shape: man(1 - seat, 0, 0, radius(state, view)), from: spot(point, state, view), to: [to.x, to.y], arc: step(state, view) / 2 }],
    },
  ];
}

/**
 * A double mill; else the number of mills of each player.
 *
 * @param {Boards.Ply[]} plies
 * @param {Boards.Sight} view
 */
export function fact(plies, view) {
  const closings = /** @type {Event[]} */ (plies.flatMap(({ events }) => events)).filter(({ kind }) => kind === "milled");
  const double = closings.find((closing) => closing.mills.length > 1);
  if (double) {
    return double.seat === view.seat
      ? gettext("You closed two mills with one man.")
      : say(gettext("%(name)s closed two mills with one man."), { name: view.names[double.seat] });
  }
  const first = view.seat ?? 0;
  const [mine, theirs] = [first, 1 - first].map((seat) => closings.filter((closing) => closing.seat === seat).length);
  const words = { first: view.names[first], second: view.names[1 - first], mine, theirs };
  if (mine + theirs === 0) {
    return "";
  }
  return say(view.seat === null
    ? ngettext("%(first)s closed %(mine)s mill, %(second)s %(theirs)s.", "%(first)s closed %(mine)s mills, %(second)s %(theirs)s.", mine)
    : ngettext("You closed %(mine)s mill, %(second)s %(theirs)s.", "You closed %(mine)s mills, %(second)s %(theirs)s.", mine), words);
}
