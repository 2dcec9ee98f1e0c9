/**
 * The board of tic-tac-toe: nine squares, numbered as the rules number them, 0 at the bottom left and
 * 8 at the top right. A digit key marks a square where that key lies on a number pad.
 *
 * @typedef {Boards.State & {board: (number|null)[], row: number[]}} State
 * @typedef {Boards.View<Event>} View
 *
 * @typedef {object} Event the fields of all kinds; its kind says which of them it has
 * @property {string} kind
 * @property {number} seat
 * @property {number} square
 * @property {number[]} squares
 */

/* global gettext */

import { circle, group, line, rect, seatMark } from "../shapes/svg.js";
import { listed, oneOf, say } from "../words/sentences.js";

/** Side of a square, and the margin around all nine, in units of the view box. */
const SIDE = 100;
const MARGIN = 12;
const BOARD = 3 * SIDE + 2 * MARGIN;

const SQUARES = [0, 1, 2, 3, 4, 5, 6, 7, 8];
/** @param {number} square */
const name = (square) => "abc"[square % 3] + (Math.floor(square / 3) + 1);
/** @param {number} square @returns {[x: number, y: number]} */
const corner = (square) => [MARGIN + (square % 3) * SIDE, MARGIN + (2 - Math.floor(square / 3)) * SIDE];

/** @returns {Boards.Size} */
export function viewBox() {
  return [BOARD, BOARD];
}

export function cells() {
  return [[6, 7, 8], [3, 4, 5], [0, 1, 2]].map((row) => row.map(name));
}

// Drawing

/** @param {State} state @param {View} view */
export function draw(state, view) {
  const marked = view.last?.events.find(({ kind }) => kind === "marked")?.square;
  return [
    rect(0, 0, BOARD, BOARD, { key: "board", rx: 14, fill: "var(--wood)" }),
    group({ key: "lines", stroke: "var(--wood-edge)", "stroke-width": 5, "stroke-linecap": "round" }, lines()),
    ...SQUARES.map((each) => drawSquare(state, each, view, each === marked)),
  ];
}

function lines() {
  return [1, 2].flatMap((nth) => {
    const at = MARGIN + nth * SIDE;
    return [line(at, MARGIN, at, BOARD - MARGIN), line(MARGIN, at, BOARD - MARGIN, at)];
  });
}

/** @param {State} state @param {number} square @param {View} view @param {boolean} last */
function drawSquare(state, square, view, last) {
  const [x, y] = corner(square);
  const owner = state.board[square];
  const playable = view.legal.includes(name(square));
  const [middleX, middleY] = [x + SIDE / 2, y + SIDE / 2];
  /** @param {import("../shapes/svg.js").Attrs} attrs */
  const frame = (attrs) => rect(x + 7, y + 7, SIDE - 14, SIDE - 14, { rx: 10, fill: "none", ...attrs });
  return group({ key: name(square), cell: cellOf(state, square, view, playable) }, [
    state.row.includes(square) && frame({ key: "row", fill: "var(--mark)", "fill-opacity": 0.6 }),
    last && frame({ key: "last", stroke: "var(--mark)", "stroke-width": 4, "stroke-dasharray": "10 8" }),
    playable && circle(middleX, middleY, 7, { key: "playable", fill: "var(--mark)" }),
    owner !== null && seatMark(owner, middleX, middleY, 29, { key: "mark" }),
  ]);
}

/** @param {State} state @param {number} square @param {View} view @param {boolean} playable @returns {Boards.Cell} */
function cellOf(state, square, view, playable) {
  return {
    name: name(square),
    label: label(state, square, view, playable),
    box: [...corner(square), SIDE, SIDE],
    playable,
    hotkey: view.seat === null ? undefined : String(square + 1),
  };
}

/** @param {State} state @param {number} square @param {View} view @param {boolean} playable */
function label(state, square, view, playable) {
  const owner = state.board[square];
  if (owner === null) {
    return say(playable ? gettext("%(square)s: free, can be marked") : gettext("%(square)s: free"), { square: name(square) });
  }
  const words = { square: name(square), name: view.names[owner] };
  const marked = say(owner === view.seat ? gettext("%(square)s: yours") : gettext("%(square)s: %(name)s’s"), words);
  return state.row.includes(square) ? say(gettext("%(marked)s, in the row"), { marked }) : marked;
}

// Input

/** @param {string} cell @param {string|null} selection @param {string[]} legal */
export function pick(cell, selection, legal) {
  return legal.includes(cell) ? { move: cell } : { refusal: gettext("That square is taken. Choose a free one.") };
}

export function controls() {
  return [];
}

// Motion

/** @param {Event} event @param {State} state @returns {Boards.Frame<State>[]} */
export function motion(event, state) {
  if (event.kind === "marked") {
    const board = state.board.map((owner, each) => (each === event.square ? event.seat : owner));
    return [{ state: { ...state, board }, ms: 250, flash: [name(event.square)] }];
  }
  if (event.kind === "lined") {
    return [{ state: { ...state, row: event.squares }, ms: 600, flash: event.squares.map(name) }];
  }
  return [];
}

// Sentences

/** @param {Event} event @param {View} view */
export function narrate(event, view) {
  const who = { name: view.names[event.seat] };
  const mine = event.seat === view.seat;
  if (event.kind === "marked") {
    const words = { ...who, square: name(event.square) };
    return say(mine ? gettext("You marked %(square)s.") : gettext("%(name)s marked %(square)s."), words);
  }
  if (event.kind === "lined") {
    const words = { ...who, squares: listed(event.squares.map(name)) };
    return say(mine ? gettext("You have a row: %(squares)s.") : gettext("%(name)s has a row: %(squares)s."), words);
  }
  return "";
}

/** @param {State} _state @param {Boards.Sight} view */
export function prompt(_state, { legal }) {
  return legal.length ? say(gettext("Mark %(squares)s."), { squares: oneOf(legal) }) : "";
}

/** @param {State} state @param {View} view */
export function summary(state, view) {
  /** @param {number|null} owner */
  const owned = (owner) => listed(SQUARES.filter((each) => state.board[each] === owner).map(name)) || "–";
  const words = { one: view.names[0], first: owned(0), two: view.names[1], second: owned(1), free: owned(null) };
  return say(gettext("%(one)s: %(first)s. %(two)s: %(second)s. Free: %(free)s."), words);
}

/** @param {Boards.Outcome} outcome */
export function result(outcome) {
  return outcome.reason === "row" ? gettext("Three in a row.") : gettext("The board is full, without three in a row.");
}
