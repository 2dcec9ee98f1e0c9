/**
 * What a press on the board means, premoves, and the buttons beside it.
 *
 * @typedef {import("./position.js").State} State
 * @typedef {import("./position.js").View} View
 */

import { say } from "../../words/sentences.js";
import { isStore, numberOf, ownerOf, pitsOf, placeOf, storeOf } from "./position.js";

/* global gettext */

/** @param {State} state @param {View} view */
export function cells(state, view) {
  const mine = view.bottom;
  const other = 1 - mine;
  /** @param {number} seat */
  const row = (seat) => Array.from({ length: pitsOf(state) }, (_, i) => String(placeOf(state, seat, i + 1)));
  const ends = [String(storeOf(state, other)), String(storeOf(state, mine))];
  return [[ends[0], ...row(other).reverse(), ends[1]], [ends[0], ...row(mine), ends[1]]];
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
  const place = Number(cell);
  const owner = ownerOf(state, place);
  const move = String(numberOf(state, place));
  if (isStore(state, place)) {
    return { refusal: gettext("Seeds in a store stay there. Choose one of your pits.") };
  }
  if (owner !== view.seat) {
    return { refusal: say(gettext("That pit is %(name)s’s. Yours are in the near row."), { name: view.names[owner] }) };
  }
  return legal.includes(move) ? { move } : { refusal: gettext("That pit is empty. Choose one with seeds.") };
}

/**
 * Any pit of a seat, empty ones too: the opponent may sow into them.
 *
 * @param {State} state
 * @param {number} seat
 * @returns {Boards.Premoves}
 */
export function premoves(state, seat) {
  const numbers = Array.from({ length: pitsOf(state) }, (_, i) => i + 1);
  return {
    state: { ...state, turn: seat },
    moves: Object.fromEntries(numbers.map((number) => [String(number), [String(placeOf(state, seat, number))]])),
  };
}

/** @param {State} state @param {View} view */
export function controls(state, view) {
  return view.legal.includes("swap")
    ? [{
      move: "swap",
      label: gettext("Swap sides"),
      hotkey: "s",
      hint: gettext("Instead of sowing, you can take your opponent’s side. You can do this only now."),
    }]
    : [];
}

/** @param {State} state */
export const hasButtons = (state) => state.options.pie;
