/**
 * The frames of the animations. The state of a frame is drawn at its end.
 *
 * @typedef {import("./position.js").State} State
 * @typedef {import("./position.js").View} View
 * @typedef {import("./position.js").Event} Event
 */

import { rolled } from "../../shapes/roll.js";
import { dieTurn } from "../../shapes/svg.js";
import { beds, drawRunner } from "./draw.js";
import { RUNNER, centre, planOf } from "./layout.js";
import { settled, withRunner } from "./position.js";

/* Animation: the state of a frame is drawn at its end. */

const LOOK_MS = 400;

const CLIMB_MS = 380;

const FALL_MS = 700;

const FLASH_MS = 500;

/** @type {Record<string, (event: Event, state: State, view: View) => Boards.Frame<State>[]>} */
const MOTIONS = { thrown: tumble, climbed: climb, busted: fall, banked: settle, claimed: claim };

/** The sound of each event. */
export const sounds = Object.freeze({ thrown: "dice", climbed: "climb", busted: "bust", banked: "bank", claimed: "claim" });

/** @param {Event} event @param {State} state @param {View} view */
export function motion(event, state, view) {
  return MOTIONS[event.kind]?.(event, state, view) ?? [];
}

/** @param {Event} event @param {State} state @param {View} view @returns {Boards.Frame<State>[]} */
function tumble({ faces }, state, view) {
  const { size: [width, height], die: size } = planOf(view);
  const landed = { ...state, due: false, dice: faces };
  const dice = beds(view).map((to, nth) => ({ face: faces[nth], to, size, turn: dieTurn(nth, faces[nth]) }));
  return [...rolled(dice, [width / 2, height], { ...landed, dice: [], rolling: true }, landed), { state: landed, ms: LOOK_MS }];
}

/** @param {Event} event @param {State} state @param {View} view @returns {Boards.Frame<State>[]} */
function climb({ seat, column, start, space }, state, view) {
  const without = withRunner({ ...state, dice: [] }, column, 0);
  const fly = [
    {
      shape: drawRunner(seat, 0, 0, planOf(view).radii[0] * RUNNER),
      from: centre(column, start, view),
      to: centre(column, space, view),
    },
  ];
  return [{ state: without, ms: 0 }, { state: withRunner(without, column, space), ms: CLIMB_MS, fly }];
}

/**
 * The throw is marked as a bust, then the runners fall.
 *
 * @param {Event} event
 * @param {State} state
 * @param {View} view
 * @returns {Boards.Frame<State>[]}
 */
function fall({ seat, columns }, state, view) {
  const bust = { ...state, bust: true };
  const fallen = { ...bust, runners: state.runners.map(() => 0) };
  const fly = columns.map((column) => ({
    shape: drawRunner(seat, 0, 0, planOf(view).radii[0] * RUNNER),
    from: centre(column, state.runners[column], view),
    to: centre(column, 0, view),
  }));
  return [
    { state: bust, ms: 0 },
    { state: bust, ms: LOOK_MS, flash: columns.map(String) },
    { state: fallen, ms: 0 },
    { state: fallen, ms: FALL_MS, fly },
  ];
}

/** @param {Event} event @param {State} state */
function settle({ columns }, state) {
  return flashing(settled(state), columns);
}

/** @param {Event} event @param {State} state */
function claim({ seat, column }, state) {
  const cones = state.cones.map((row) => row.with(column, 0));
  return flashing({ ...state, cones, owners: state.owners.with(column, seat) }, [column]);
}

/** @param {State} state @param {number[]} columns */
const flashing = (state, columns) => [
  { state, ms: 0 },
  { state, ms: FLASH_MS, flash: columns.map(String) },
];
