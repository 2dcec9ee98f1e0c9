/**
 * The board of Pig: the die with the points of the turn, and a bar for the score of each player.
 *
 * @typedef {Boards.State & {options: {target: number}, scores: number[], present: boolean[], face: number, pot: number}} State
 * @typedef {Boards.View<Event>} View
 *
 * @typedef {object} Event the fields of all kinds; its kind says which of them it has
 * @property {string} kind
 * @property {number} seat
 * @property {number} face
 * @property {number} pot
 * @property {number} points
 * @property {number} score
 */

/* global gettext, ngettext */

import { die, group, rect, scatter, seatFill, seatMark, seatPatterns, text } from "../shapes/svg.js";
import { say } from "../words/sentences.js";

/** Lengths in units of the view box; a bar is so long when the target is reached. */
const [WIDTH, EDGE, BAR, ROW, DIE] = [400, 20, 300, 56, 96];
/** How long each picture of the rolling die stands, and the face that fell. */
const [ROLLING_MS, LOOK_MS] = [70, 500];

/** @param {State} state @returns {Boards.Size} */
export function viewBox(state) {
  return [WIDTH, state.scores.length * ROW + DIE + 3 * EDGE];
}

/** @param {State} state @param {View} view */
export function cells(state, view) {
  return [...seatsOf(state, view).map((seat) => [nameOf(seat)]), ["die"]];
}

/** The seats from the top down: whose eyes these are comes last. @param {State} state @param {View} view */
const seatsOf = ({ scores }, { bottom }) => scores.map((_, nth) => (bottom + 1 + nth) % scores.length);

/** @param {number} seat */
const nameOf = (seat) => `seat-${seat}`;

// Drawing

/** @param {State} state @param {View} view */
export function draw(state, view) {
  const [width, height] = viewBox(state);
  return [
    rect(0, 0, width, height, { key: "felt", rx: 16, fill: "var(--felt)" }),
    seatPatterns(state.scores.length),
    ...seatsOf(state, view).map((seat, nth) => drawScore(state, seat, nth, view)),
    drawDie(state, view),
  ];
}

/** @param {State} state @param {number} seat @param {number} nth from the top @param {View} view */
function drawScore(state, seat, nth, view) {
  const [y, height] = [EDGE + nth * ROW, ROW - 16];
  const [left, middle] = [EDGE + 44, y + height / 2];
  const share = Math.min(1, state.scores[seat] / state.options.target);
  return group({ key: nameOf(seat), cell: { name: nameOf(seat), label: scoreWords(seat, state, view), box: [EDGE, y, WIDTH - 2 * EDGE, height] } }, [
    seatMark(seat, EDGE + 18, middle, 15, { key: "mark" }),
    rect(left, y, BAR, height, { key: "bed", rx: 8, fill: "var(--seat-bed)" }),
    rect(left, y, BAR * share, height, { key: "bar", rx: 8, fill: seatFill(seat) }),
    text(WIDTH - EDGE, middle, state.scores[seat], { key: "score", size: 20, fill: "var(--on-felt)", "text-anchor": "end" }),
  ]);
}

/** @param {State} state @param {View} view */
function drawDie(state, view) {
  const [width, height] = viewBox(state);
  const middle = height - EDGE - DIE / 2;
  const playable = view.legal.includes("roll");
  /** @type {Boards.Cell} */
  const cell = { name: "die", label: dieWords(state, view), box: [width / 2 - DIE, middle - DIE / 2, DIE, DIE], playable };
  return group({ key: "die", cell }, [
    die(state.face, width / 2 - DIE / 2, middle, DIE, { key: "face" }),
    text(width / 2 + DIE, middle, state.pot, { key: "pot", size: 44, fill: "var(--on-felt)" }),
  ]);
}

// Input

/** @param {string} cell @param {string|null} _selection @param {string[]} legal */
export function pick(cell, _selection, legal) {
  return cell === "die" && legal.includes("roll") ? { move: "roll" } : { refusal: gettext("Press the die to roll it.") };
}

/** @param {State} state @param {Boards.Sight} view @returns {Boards.Control[]} */
export function controls({ pot }, { legal }) {
  /** @type {Record<string, Boards.Control>} */
  const buttons = {
    roll: { move: "roll", label: gettext("Roll"), hotkey: "r", primary: true },
    stop: { move: "stop", label: pointsWords(ngettext("Stop and keep %(points)s point", "Stop and keep %(points)s points", pot), pot), hotkey: "s" },
  };
  return legal.map((move) => buttons[move]);
}

// Motion

/** @param {Event} event @param {State} state @returns {Boards.Frame<State>[]} */
export function motion({ kind, seat, face, pot, score }, state) {
  switch (kind) {
    case "thrown":
      return [
        ...[1, 2, 3].map((nth) => ({ state: { ...state, face: 1 + Math.floor(6 * scatter(seat, nth, face)) }, ms: ROLLING_MS })),
        { state: { ...state, face, pot }, ms: LOOK_MS },
      ];
    case "banked":
      return [{ state: { ...state, pot: 0, scores: state.scores.map((old, each) => (each === seat ? score : old)) }, ms: LOOK_MS, flash: [nameOf(seat)] }];
    default:
      return [];
  }
}

/** What each event sounds like. */
export const sounds = Object.freeze({ thrown: "dice", lost: "pass", banked: "bank" });

// Sentences

/** @param {string} sentence @param {number} points @param {object} [words] */
const pointsWords = (sentence, points, words = {}) => say(sentence, { points, ...words });

/** @param {number} seat @param {State} state @param {Boards.Sight} view */
function scoreWords(seat, { scores, present }, view) {
  if (!present[seat]) {
    return say(gettext("%(name)s: has left"), { name: view.names[seat] });
  }
  return seat === view.seat
    ? pointsWords(ngettext("You: %(points)s point", "You: %(points)s points", scores[seat]), scores[seat])
    : pointsWords(ngettext("%(name)s: %(points)s point", "%(name)s: %(points)s points", scores[seat]), scores[seat], { name: view.names[seat] });
}

/** @param {State} state @param {Boards.Sight} view */
function dieWords({ face, pot }, { legal }) {
  const shown = face
    ? pointsWords(ngettext("The die shows %(face)s; this turn: %(points)s point", "The die shows %(face)s; this turn: %(points)s points", pot), pot, { face })
    : gettext("The die has not been rolled yet");
  return legal.includes("roll") ? say(gettext("%(die)s. Press to roll it"), { die: shown }) : shown;
}

/** @param {Event} event @param {Boards.Sight} view */
export function narrate({ kind, seat, face, points, score }, view) {
  const words = { name: view.names[seat], face, score };
  const mine = seat === view.seat;
  switch (kind) {
    case "thrown":
      return say(mine ? gettext("You rolled %(face)s.") : gettext("%(name)s rolled %(face)s."), words);
    case "lost":
      return mine
        ? pointsWords(ngettext("You lost %(points)s point.", "You lost %(points)s points.", points), points)
        : pointsWords(ngettext("%(name)s lost %(points)s point.", "%(name)s lost %(points)s points.", points), points, words);
    case "banked":
      return mine
        ? pointsWords(ngettext("You kept %(points)s point and have %(score)s.", "You kept %(points)s points and have %(score)s.", points), points, words)
        : pointsWords(ngettext("%(name)s kept %(points)s point and has %(score)s.", "%(name)s kept %(points)s points and has %(score)s.", points), points, words);
    default:
      return "";
  }
}

/** @param {State} state @param {Boards.Sight} view */
export function prompt({ pot }, { legal }) {
  if (legal.includes("stop")) {
    return pointsWords(ngettext("Roll the die, or stop and keep %(points)s point.", "Roll the die, or stop and keep %(points)s points.", pot), pot);
  }
  return legal.includes("roll") ? gettext("Roll the die.") : "";
}

/** @param {State} state @param {View} view */
export function summary(state, view) {
  const scores = state.scores.map((_, seat) => scoreWords(seat, state, view));
  return `${[...scores, dieWords(state, { ...view, legal: [] })].join("; ")}.`;
}

/** @param {State} state @param {number} seat */
export const tally = (state, seat) => String(state.scores[seat]);

/** @param {Boards.Outcome} outcome @param {Boards.Sight} view @param {State} state */
export function result({ reason, winners }, view, { options }) {
  const words = { name: view.names[winners[0]], points: options.target };
  if (reason !== "target") {
    return "";
  }
  return say(winners[0] === view.seat ? gettext("You reached %(points)s points.") : gettext("%(name)s reached %(points)s points."), words);
}

/** Rolls stand in the list by their face alone. @param {Boards.Ply} ply */
export function notation(ply) {
  return ply.dice ? `[${ply.dice.join(" ")}]` : ply.action === "stop" ? gettext("stop") : "";
}
