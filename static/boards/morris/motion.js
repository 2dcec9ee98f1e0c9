/**
 * The frames of the animations.
 *
 * @typedef {import("./position.js").State} State
 * @typedef {import("./position.js").View} View
 * @typedef {import("./position.js").Event} Event
 */

import { man } from "./draw.js";
import { radius, socket, spot, step } from "./layout.js";
import { EMPTY, MEN, dealt, lost, put } from "./position.js";

// Motion

/** @param {Event} event @param {State} state @param {View} view */
export function motion(event, state, view) {
  return MOTIONS[event.kind]?.(event, state, view) ?? [];
}

/** @type {Record<string, (event: Event, state: State, view: View) => Boards.Frame<State>[]>} */
const MOTIONS = { placed, slid: moved, flew: moved, milled, removed };

/** The sound of each event. */
export const sounds = Object.freeze({ placed: "place", slid: "slide", flew: "slide", milled: "mill", removed: "capture" });

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
