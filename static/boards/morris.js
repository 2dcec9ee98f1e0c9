/**
 * The boards of Nine Men's Morris and its relatives: squares of lines on a plank, the men, and a tray for each player
 * with the men in hand and the captured ones.
 *
 * Points are named by file and rank, as the rules name them. `state.board` has a letter for each, from the top rank
 * down and from left to right. During an animation a state may also have `lit`, the flashing mills, and `flying`, the
 * seat of the moving man.
 *
 * @typedef {object} Options
 * @property {keyof typeof MAKES} board
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
 * @typedef {{side: number, squares: number[], diagonals: boolean}} Make
 * @typedef {{side: number, points: string[], lines: string[][]}} Board
 */

/* global gettext, ngettext */

import { SHADE, at, circle, gradient, group, line, path, rect, round, scatter, seatMark, shape, text } from "../shapes/svg.js";
import { listed, oneOf, say } from "../words/sentences.js";

const MEN = "WB";
const EMPTY = ".";
const FILES = "abcdefg";
const DIRECTIONS = [-1, 0, 1];
/** Average width of a bold letter in em. */
const LETTER = 0.56;

/** Each board: points on a side, half the side of each square, whether corners are joined. */
/** @satisfies {Record<string, Make>} */
const MAKES = {
  three: { side: 7, squares: [3, 2, 1], diagonals: false },
  two: { side: 5, squares: [2, 1], diagonals: false },
  diagonals: { side: 7, squares: [3, 2, 1], diagonals: true },
};

/** Lengths for wide and narrow screens, in units of the view box. */
const WIDE = { plank: 600, margin: 56, lift: 6, man: 32, type: 22, small: 17, tray: 122, gap: 14 };
const NARROW = { plank: 390, margin: 38, lift: 6, man: 22, type: 15, small: 13, tray: 42, gap: 4 };

/** The least touch target, in units of the narrow view box on the narrowest phone. */
const THUMB = 48;

/** @param {View} view */
const sizes = (view) => (view.narrow ? NARROW : WIDE);

// The points and lines of a board

/** @type {Map<string, Board>} */
const boards = new Map();

/**
 * @param {State} state
 * @returns {{side: number, points: string[], lines: string[][]}}
 */
function boardOf(state) {
  const name = state.options.board;
  const known = boards.get(name);
  if (known) {
    return known;
  }
  const made = makeBoard(MAKES[name]);
  boards.set(name, made);
  return made;
}

/** @param {Make} make */
function makeBoard({ side, squares, diagonals }) {
  const middle = (side - 1) / 2;
  /** @param {number} reach @param {number} right @param {number} up */
  const point = (reach, right, up) => `${FILES[middle + reach * right]}${middle + reach * up + 1}`;
  const edges = squares.flatMap((reach) =>
    [-1, 1].flatMap((end) => [
      DIRECTIONS.map((along) => point(reach, along, end)),
      DIRECTIONS.map((along) => point(reach, end, along)),
    ]),
  );
  const outwards = DIRECTIONS.flatMap((right) => DIRECTIONS.map((up) => [right, up]));
  const spokes = outwards
    .filter(([right, up]) => (right === 0) !== (up === 0) || (diagonals && right && up))
    .map(([right, up]) => squares.map((reach) => point(reach, right, up)));
  const points = [...new Set(edges.flat())].sort((a, b) => Number(b[1]) - Number(a[1]) || a.localeCompare(b));
  return { side, points, lines: [...edges, ...spokes] };
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

/** Men of the other seat that a seat has taken, without one in motion. @param {State} state @param {number} seat */
const taken = (state, seat) =>
  state.options.men - state.hand[1 - seat] - onBoard(state, 1 - seat) - (state.flying === 1 - seat ? 1 : 0);

/** @param {State} state */
function flies(state) {
  return state.options.flying && state.hand[state.turn] === 0 && onBoard(state, state.turn) === 3;
}

// Layout

/** @param {State} _state @param {View} view @returns {Boards.Size} */
export function viewBox(_state, view) {
  const { plank, tray, gap } = sizes(view);
  return view.narrow ? [plank, plank + 2 * (tray + gap)] : [plank + 2 * (tray + gap), plank];
}

/** @param {View} view */
function plankCorner(view) {
  const { tray, gap } = sizes(view);
  return view.narrow ? [0, tray + gap] : [tray + gap, 0];
}

/** @param {State} state @param {View} view */
const step = (state, view) => (sizes(view).plank - 2 * sizes(view).margin) / (boardOf(state).side - 1);
/** @param {State} state @param {View} view */
const radius = (state, view) => Math.min(step(state, view) * 0.36, sizes(view).man);

/**
 * The centre of a point, rotated for the other side. The lines are slightly above the middle of the plank, so that men
 * do not cover the letters below.
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
  const [x, y] = plankCorner(view);
  const { margin, lift } = sizes(view);
  return [round(x + margin + right * step(state, view)), round(y + margin - lift + down * step(state, view))];
}

/**
 * The tray of a seat: left and right of the plank, or above and below; the bottom seat's comes last.
 *
 * @param {number} seat
 * @param {View} view
 * @returns {[x: number, y: number, width: number, height: number]}
 */
function trayBox(seat, view) {
  const { plank, tray, gap } = sizes(view);
  const start = seat === view.bottom ? plank + tray + 2 * gap : 0;
  return view.narrow ? [0, start, plank, tray] : [start, 0, tray, plank];
}

/**
 * The touch target of a tray: a low one extends to the edge of the plank and a little over it.
 *
 * @param {number} seat
 * @param {View} view
 * @returns {[x: number, y: number, width: number, height: number]}
 */
function trayRoom(seat, view) {
  const [x, y, width, height] = trayBox(seat, view);
  const more = Math.max(THUMB - height, 0);
  return [x, seat === view.bottom ? y - more : y, width, height + more];
}

/**
 * Position and size of the nth man of a tray; `row` is "hand" or "taken".
 *
 * @param {"hand"|"taken"} row
 * @param {number} seat
 * @param {number} nth
 * @param {View} view
 */
function traySpot(row, seat, nth, view) {
  const [x, y] = trayBox(seat, view);
  if (view.narrow) {
    const left = row === "hand" ? x + 46 : x + 268;
    return { x: left + nth * (row === "hand" ? 17 : 11.5), y: y + 29, r: row === "hand" ? 10.5 : 9.5 };
  }
  const [top, pitch, r] = row === "hand" ? [104, 44, 19] : [416, 37, 15];
  return { x: x + 61 + (nth % 2 ? 0.55 : -0.55) * pitch, y: y + top + Math.floor(nth / 2) * pitch, r };
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
    group({ key: "names" }, coordinates(state, view)),
    group({ key: "mills" }, mills(state, view)),
    ...(state.ended || view.outcome ? [] : [phase(state, view)]),
    ...[0, 1].map((seat) => tray(seat, state, view)),
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
    gradient("linearGradient", "morris-felt", [[0, "var(--felt-deep)"], [1, "var(--felt)"]], { x2: 0, y2: 1 }),
    skin("white"),
    skin("black"),
  ]);
}

/** @param {View} view */
function plank(view) {
  const { plank: side } = sizes(view);
  const [x, y] = plankCorner(view);
  const [rx, thick] = view.narrow ? [14, 4] : [22, 7];
  return group({ key: "plank" }, [
    rect(x + 1, y + 3, side - 2, side - 3, { rx, fill: "var(--wood-edge)" }),
    rect(x + 1, y + 1, side - 2, side - thick, { rx, fill: "url(#morris-wood)" }),
    path(grain(x, y, side), { fill: "none", stroke: "var(--wood-grain)", "stroke-opacity": 0.22, "stroke-width": side / 400 }),
  ]);
}

/**
 * Slightly wavy lines along the plank.
 *
 * @param {number} x
 * @param {number} y
 * @param {number} side
 */
function grain(x, y, side) {
  const waves = Array.from({ length: 17 }, (_, nth) => {
    const height = y + ((nth + 0.6) / 17.6) * side;
    const bend = (scatter(nth, 3) - 0.5) * side * 0.07;
    const end = height + (scatter(nth, 4) - 0.5) * side * 0.015;
    const inset = nth === 0 || nth === 16 ? side * 0.03 : 3;
    return `M${round(x + inset)} ${round(height)}C${round(x + side * 0.3)} ${round(height + bend)} ${round(x + side * 0.65)} ${round(height - bend)} ${round(x + side - inset)} ${round(end)}`;
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
  const width = view.narrow ? 2.6 : 4.4;
  /** @param {number} shift @param {import("../shapes/svg.js").Attrs} attrs */
  const groove = (shift, attrs) =>
    path(boardOf(state).lines.map((row) => {
      const [[ax, ay], [bx, by]] = [spot(row[0], state, view), spot(row[row.length - 1], state, view)];
      return `M${ax} ${ay + shift}L${bx} ${by + shift}`;
    }).join(""), { fill: "none", "stroke-width": width, "stroke-linecap": "round", ...attrs });
  return [
    groove(width * 0.4, { key: "lip", stroke: "var(--wood-light)", "stroke-opacity": 0.75 }),
    groove(0, { key: "groove", stroke: "var(--groove)" }),
  ];
}

/** @param {State} state @param {View} view */
function coordinates(state, view) {
  const { plank: side, margin, lift, small } = sizes(view);
  const { side: count } = boardOf(state);
  const [x, y] = plankCorner(view);
  const [left, bottom] = view.narrow ? [9, 11] : [15, 15];
  /** @param {number} nth */
  const along = (nth) => margin + nth * step(state, view);
  const numbers = Array.from({ length: count }, (_, nth) => nth);
  const look = { class: "board-fine", size: view.narrow ? small : small * 0.88, fill: "var(--on-wood-soft)", "font-weight": 600 };
  return numbers.flatMap((nth) => {
    const turned = view.bottom === 1 ? count - 1 - nth : nth;
    return [
      text(x + along(nth), y + side - bottom, FILES[turned], { key: `file${nth}`, ...look }),
      text(x + left, y + along(count - 1 - nth) - lift, turned + 1, { key: `rank${nth}`, ...look }),
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

/** The phase of the turn, in the middle of the board. @param {State} state @param {View} view */
function phase(state, view) {
  const { plank: side, lift, type } = sizes(view);
  const [x, y] = plankCorner(view);
  const room = 2 * (step(state, view) - radius(state, view)) * 0.94;
  const words = inTwo(state.turn === view.seat ? duty(state) : theirDuty(state));
  const size = Math.min(type, room / (LETTER * Math.max(...words.map((word) => word.length))));
  const pitch = size * 1.15;
  const icon = size * 0.7;
  const top = y + side / 2 - lift - (2 * icon + words.length * pitch) / 2;
  return group({ key: "phase", fill: "var(--on-wood)", "font-weight": 700 }, [
    man(state.turn, x + side / 2, top + icon, icon, { key: "man" }),
    ...words.map((word, nth) => text(x + side / 2, round(top + 2 * icon + (nth + 0.6) * pitch), word, { key: nth, size: round(size) })),
  ]);
}

/** Text in two lines, with the longer one as short as possible. @param {string} words */
function inTwo(words) {
  const parts = words.split(" ");
  const cuts = parts.slice(1).map((_, nth) => [parts.slice(0, nth + 1).join(" "), parts.slice(nth + 1).join(" ")]);
  /** @param {string[]} rows */
  const length = (rows) => Math.max(...rows.map((row) => row.length));
  return cuts.reduce((best, cut) => (length(cut) < length(best) ? cut : best), [words]);
}

/** @param {State} state */
function duty(state) {
  if (state.takes > 0) {
    return say(ngettext("Take a man", "Take %(count)s men", state.takes), { count: state.takes });
  }
  if (state.hand[state.turn] > 0) {
    return state.options.early_slides ? gettext("Place or slide") : gettext("Place a man");
  }
  return flies(state) ? gettext("Fly a man") : gettext("Slide a man");
}

/** @param {State} state */
function theirDuty(state) {
  if (state.takes > 0) {
    return say(ngettext("takes a man", "takes %(count)s men", state.takes), { count: state.takes });
  }
  if (state.hand[state.turn] > 0) {
    return state.options.early_slides ? gettext("places or slides") : gettext("places a man");
  }
  return flies(state) ? gettext("flies a man") : gettext("slides a man");
}

/**
 * A man: white ones are engraved with rings, black ones with a diamond, like the marks of their seats.
 *
 * @param {number} seat
 * @param {number} x
 * @param {number} y
 * @param {number} r
 * @param {import("../shapes/svg.js").Attrs} [attrs]
 */
function man(seat, x, y, r, attrs = {}) {
  const colour = seat === 0 ? "white" : "black";
  const cut = { fill: "none", stroke: `var(--man-${colour}-line)`, "stroke-width": 0.11, "stroke-linejoin": "round" };
  return group({ transform: at(x, y, { scale: r }), ...attrs }, [
    circle(0, 0.13, 1.03, SHADE),
    circle(0, 0, 1, { fill: `url(#morris-${colour})`, stroke: `var(--man-${colour}-edge)`, "stroke-width": 0.08 }),
    ...(seat === 0
      ? [circle(0, 0, 0.68, cut), circle(0, 0, 0.36, cut)]
      : [path("M0-0.72L0.72 0L0 0.72L-0.72 0Z", cut), path("M0-0.3L0.3 0L0 0.3L-0.3 0Z", { ...cut, fill: cut.stroke })]),
  ]);
}

// Trays

/** @param {number} seat @param {State} state @param {View} view */
function tray(seat, state, view) {
  const [x, y, width, height] = trayBox(seat, view);
  const chosen = view.selection === trayCell(seat);
  const playable = seat === view.seat && view.legal.some(isPlacing);
  return group({ key: `tray${seat}`, cell: trayCellOf(seat, state, view, playable) }, [
    rect(x + 1, y + 1, width - 2, height - 2, {
      key: "felt",
      rx: view.narrow ? 12 : 18,
      fill: "url(#morris-felt)",
      stroke: chosen ? "var(--mark)" : "var(--wood-edge)",
      "stroke-width": chosen ? 4 : 2,
    }),
    trayMark(seat, state, view),
    ...trayRow("hand", seat, seat, state.hand[seat], view),
    ...trayRow("taken", seat, 1 - seat, taken(state, seat), view),
  ]);
}

/** @param {number} seat @param {State} state @param {View} view */
function trayMark(seat, state, view) {
  const [x, y] = trayBox(seat, view);
  const [cx, cy, r] = view.narrow ? [x + 18, y + 21, 9] : [x + 61, y + 32, 14];
  return seatMark(seat, cx, cy, r, { key: "mark" });
}

/**
 * @param {"hand"|"taken"} row
 * @param {number} seat
 * @param {number} colour
 * @param {number} count
 * @param {View} view
 */
function trayRow(row, seat, colour, count, view) {
  const { small } = sizes(view);
  const [x, y] = trayBox(seat, view);
  const words = row === "hand" ? gettext("In hand: %(count)s") : gettext("Taken: %(count)s");
  const [left, top] = row === "hand" ? (view.narrow ? [36, 11.5] : [61, 68]) : view.narrow ? [259, 11.5] : [61, 384];
  return [
    text(x + left, y + top, say(words, { count }), {
      key: `${row}-words`,
      class: "board-fine",
      size: small,
      fill: "var(--on-felt)",
      "font-weight": 600,
      "text-anchor": view.narrow ? "start" : "middle",
    }),
    ...Array.from({ length: count }, (_, nth) => {
      const { x: mx, y: my, r } = traySpot(row, seat, nth, view);
      return man(colour, mx, my, r, { key: `${row}${nth}` });
    }),
  ];
}

/** @param {number} seat @param {State} state @param {View} view @param {boolean} playable @returns {Boards.Cell} */
function trayCellOf(seat, state, view, playable) {
  const words = { name: view.names[seat], hand: state.hand[seat], taken: taken(state, seat) };
  const label = seat === view.seat
    ? gettext("Your men in hand: %(hand)s. Men you have taken: %(taken)s.")
    : gettext("%(name)s’s men in hand: %(hand)s. Men %(name)s has taken: %(taken)s.");
  return { name: trayCell(seat), label: say(label, words), box: trayRoom(seat, view), playable };
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
    return circle(x, y - r, r * 0.2, { key: "last", fill: "var(--mark)", stroke: "var(--mark-edge)", "stroke-width": r * 0.07 });
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
  const words = { name: view.names[seat], points: listed(points) || gettext("no man on the board"), hand: state.hand[seat] };
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

/** No buttons: everything is played on the points. */
export function controls() {
  return [];
}

export const hasButtons = () => false;

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
  const from = traySpot("hand", seat, lifted.hand[seat], view);
  const flying = man(seat, 0, 0, radius(state, view));
  return [
    // A lifted man is in motion, not taken: the trays count hands and board.
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
  const to = traySpot("taken", seat, taken(state, seat), view);
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
