/**
 * What a press on the board means, premoves, and the man that is held.
 *
 * @typedef {import("./position.js").State} State
 * @typedef {import("./position.js").View} View
 */

import { say } from "../../words/sentences.js";
import { isTray, trayCell } from "./layout.js";
import { EMPTY, FILES, MEN, areNeighbours, boardOf, flies, isPlacing, manOn, ownerOf } from "./position.js";

/* global gettext */

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

/** No buttons: everything is played on the points. */
export function controls() {
  return [];
}

export const hasButtons = () => false;
