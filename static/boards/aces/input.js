/**
 * What a press on the table means, and its one button.
 *
 * @typedef {import("./position.js").State} State
 * @typedef {import("./position.js").View} View
 */

import { counted } from "./words.js";

/* global gettext, ngettext */

// Keyboard grid and presses

/**
 * One row of seats with the nearest in the middle and the next player on the left of each; above it the centre.
 *
 * @param {State} _state
 * @param {View} view
 */
export function cells(_state, view) {
  const seats = view.names.length;
  const row = view.names.map((_, column) => `seat-${(view.bottom + (seats >> 1) - column + seats) % seats}`);
  return [row.map(() => "centre"), row];
}

/**
 * @param {string} cell
 * @param {string|null} _selection
 * @param {string[]} _legal
 * @param {State} _state
 * @param {View} view
 */
export function pick(cell, _selection, _legal, _state, view) {
  return cell === `seat-${view.seat}`
    ? { move: "roll" }
    : { refusal: gettext("Press your own dice to roll them.") };
}

/** @param {State} state @param {View} view */
export function controls(state, view) {
  const held = state.dice[state.turn].length;
  /** @type {Record<string, Boards.Control>} */
  const buttons = {
    roll: {
      move: "roll",
      label: counted(ngettext("Roll %(count)s die", "Roll %(count)s dice", held), held),
      hotkey: "r",
      primary: true,
    },
    stop: {
      move: "stop",
      label: gettext("Stop"),
      hotkey: "s",
      hint: gettext("Keep your dice and end your turn."),
    },
  };
  return view.legal.map((move) => buttons[move]);
}
