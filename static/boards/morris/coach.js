/**
 * Advice on the move: mills to close, to stop, and to take from.
 *
 * @typedef {import("./position.js").State} State
 */

import { say } from "../../words/sentences.js";
import { EMPTY, MEN, after, areNeighbours, boardOf, flies, isPlacing, lifted, manOn, put, target } from "./position.js";

/* global gettext */

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

/** The words about the marked place: a point to place a man on, or a man to move. @param {string} move @param {string} place @param {string} man */
const here = (move, place, man) => (isPlacing(move) ? place : man);

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
      ? { move, words: gettext("Take this man: it could help to close a mill."), told: say(gettext("The man on %(point)s could help to close a mill."), { point: move.slice(1) }) }
      : null;
  }
  const mill = legal.find((move) => almost(lifted(move, state), target(move), mine).length > 0);
  if (mill) {
    return { move: mill, words: here(mill, gettext("Go here: that closes a mill."), gettext("Move this man: that closes a mill.")), told: say(gettext("%(move)s closes a mill."), { move: mill }) };
  }
  const block = legal.find((move) => theirs.includes(target(move)));
  if (block) {
    return { move: block, words: here(block, gettext("Go here: that blocks your opponent’s mill."), gettext("Move this man: that blocks your opponent’s mill.")), told: say(gettext("%(move)s blocks your opponent’s mill."), { move: block }) };
  }
  const open = legal.map((move) => threats(after(move, state), mine).length);
  const most = Math.max(0, ...open);
  const move = legal[open.indexOf(most)];
  if (most === 0) {
    return null;
  }
  return most > 1
    ? { move, words: here(move, gettext("Go here: you threaten two mills, and only one can be blocked."), gettext("Move this man: you threaten two mills, and only one can be blocked.")), told: say(gettext("%(move)s threatens two mills: your opponent can block only one."), { move }) }
    : { move, words: here(move, gettext("Go here: then you need only one more for a mill."), gettext("Move this man: then you need only one more for a mill.")), told: say(gettext("After %(move)s, one more man closes a mill."), { move }) };
}
