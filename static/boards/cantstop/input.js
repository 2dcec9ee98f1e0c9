/**
 * What a press on the board means, and the buttons beside it.
 *
 * @typedef {import("./position.js").State} State
 * @typedef {import("./position.js").View} View
 */

import { say } from "../../words/sentences.js";
import { COLUMNS, blamed, columnsOf, isClosed, moveIn, pairings, pairsOf, running } from "./position.js";
import { climbsInWords, closedInWords, halfClosedInWords, reasonsInWords, stopInWords } from "./words.js";

/* global gettext */

/* Input */

export const cells = () => [COLUMNS.map(String)];

/**
 * The first press on a column shows its pairing, the second one plays it.
 *
 * @param {string} cell
 * @param {string|null} selection
 * @param {string[]} legal
 * @param {State} state
 */
export function pick(cell, selection, legal, state) {
  const move = moveIn(cell, legal);
  if (move) {
    return selection !== null && move === moveIn(selection, legal) ? { move } : { selection: cell };
  }
  const pairing = pairings(state.dice).find((columns) => columns.includes(Number(cell)));
  if (pairing) {
    return { refusal: closedInWords(pairing, legal, state) };
  }
  if (state.owners[Number(cell)] !== null) {
    return { refusal: say(gettext("Column %(column)s has been claimed."), { column: cell }) };
  }
  return {
    refusal: state.dice.length
      ? say(gettext("No pairing of this roll moves in column %(column)s."), { column: cell })
      : gettext("Roll the dice first."),
  };
}

/**
 * Buttons for the legal moves; after a throw, the impossible pairings follow with their reasons.
 *
 * @param {State} state
 * @param {View} view
 */
export function controls(state, view) {
  const closed = view.legal.length ? pairings(state.dice).filter((pairing) => isClosed(pairing, view.legal)) : [];
  return [...open(state, view), ...closed.map((pairing) => ({
    move: pairing.join("+"),
    label: pairing.join(" + "),
    dice: pairsInDice(pairing.join("+"), state.dice),
    hint: reasonsInWords(blamed(pairing, view.legal, state), state),
    closed: true,
  }))];
}

/** @param {State} state @param {View} view */
function open(state, view) {
  return view.legal.map((move, nth) => {
    if (move === "roll") {
      const label = running(state).length ? gettext("Roll again") : gettext("Roll the dice");
      return { move, label, hotkey: "r", primary: true };
    }
    if (move === "stop") {
      return { move, label: gettext("Stop"), hotkey: "s", hint: stopInWords(state) };
    }
    return {
      move,
      label: columnsOf(move).join(" + "),
      dice: pairsInDice(move, state.dice),
      hotkey: String(nth + 1),
      hint: [climbsInWords(move, state), halfClosedInWords(move, view.legal, state)].filter(Boolean).join("; "),
    };
  });
}

/**
 * The two pairs of dice of a pairing; a pair that is not played is faint.
 *
 * @param {string} move
 * @param {number[]} dice
 */
function pairsInDice(move, dice) {
  const columns = columnsOf(move);
  return pairsOf(move, dice).map(([one, other], nth) => ({
    faces: [dice[one], dice[other]],
    faint: nth > 0 && columns.length === 1 && dice[one] + dice[other] !== columns[0],
  }));
}
