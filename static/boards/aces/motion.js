/**
 * The frames of the animations.
 *
 * @typedef {import("./position.js").Die} Die
 * @typedef {import("./position.js").State} State
 * @typedef {import("./position.js").View} View
 * @typedef {import("./position.js").Event} Event
 * @typedef {import("./position.js").Spot} Spot
 */

import { rolled } from "../../shapes/roll.js";
import { die } from "../../shapes/svg.js";
import { ROLL } from "./draw.js";
import { centreSpot, layout, place, spots } from "./layout.js";
import { ACE, FIVE, TWO, isHandedOn } from "./position.js";

const LOOK_MS = 550;

const FLIGHT_MS = 520;

const TURN_MS = 150;

// Motion

/** @param {Event} event @param {State} state @param {View} view */
export function motion(event, state, view) {
  switch (event.kind) {
    case "thrown":
      return throwing(event, state, view);
    case "centred":
      return flying(state, view, event.seat, ACE, (nth) => centreSpot(state.centre + nth, state, view), {
        centre: state.centre + event.count,
      });
    case "passed":
      return handing(event, state, view);
    case "left":
      return [{ state: { ...state, present: state.present.map((here, at) => here && at !== event.seat) }, ms: TURN_MS }];
    case "handedover":
      return inheriting(event, state, view);
    case "turnended":
      return [{ state: { ...state, landing: null, turn: event.next }, ms: TURN_MS }];
    default:
      return [];
  }
}

/** The sound of each event. */
export const sounds = Object.freeze({ thrown: "dice", centred: "bank", passed: "slide", handedover: "slide", turnended: "pass" });

/**
 * The dice roll into the tray, and lie long enough to be read.
 *
 * @param {Event} event
 * @param {State} state
 * @param {View} view
 */
function throwing({ seat, faces }, state, view) {
  /** @param {Die[]} dice */
  const holding = (dice) => ({ ...state, due: false, turn: seat, dice: state.dice.map((held, at) => (at === seat ? dice : held)) });
  const { pot: [cx, cy], trayHeight } = layout(view);
  const [x, y] = place(seat, view);
  const away = (ROLL * trayHeight) / Math.hypot(x - cx, y - cy);
  /** @type {State} */
  const rolling = { ...holding(faces.map(() => null)), rolling: seat };
  /** @type {State} */
  const fallen = { ...holding([...faces]), landing: seat };
  const dice = spots(seat, faces.length, view).map(({ x: left, y: top, size, turn }, nth) =>
    ({ face: faces[nth], to: /** @type {[number, number]} */ ([left, top]), size, turn }));
  return [
    ...rolled(dice, [x + (cx - x) * away, y + (cy - y) * away], rolling, fallen),
    { state: fallen, ms: LOOK_MS },
  ];
}

/** @param {Event} event @param {State} state @param {View} view */
function handing({ seat, to, count, side }, state, view) {
  const face = side === "left" ? TWO : FIVE;
  const before = state.dice[to].length;
  const places = spots(to, before + count, view).slice(before);
  return flying(state, view, seat, face, (nth) => places[nth], {
    dice: { [to]: [...state.dice[to], ...Array(count).fill(face)] },
  });
}

/** @param {Event} event @param {State} state @param {View} view */
function inheriting({ seat, to }, state, view) {
  const held = state.dice[seat];
  const before = state.dice[to].length;
  const places = spots(to, before + held.length, view).slice(before);
  const fly = spots(seat, held.length, view).map((from, nth) => flight(held[nth] ?? 0, from, places[nth]));
  const without = { ...state, dice: state.dice.map((dice, at) => (at === seat ? [] : dice)) };
  const landed = { ...without, dice: without.dice.map((dice, at) => (at === to ? [...dice, ...held] : dice)) };
  return [{ state: without, ms: 0 }, { state: landed, ms: FLIGHT_MS, fly }];
}

/**
 * Moves the dice of one face from a seat's tray to the positions that `target` returns.
 *
 * @param {State} state
 * @param {View} view
 * @param {number} seat
 * @param {number} face
 * @param {(nth: number) => Spot} target
 * @param {{dice?: Record<number, Die[]>, centre?: number}} arrived the state after the landing
 */
function flying(state, view, seat, face, target, { dice: received = {}, ...arrived }) {
  const from = spots(seat, state.dice[seat].length, view).filter((_, nth) => state.dice[seat][nth] === face);
  const kept = state.dice[seat].map((each) => (each === face ? null : each));
  const without = { ...state, dice: state.dice.map((dice, at) => (at === seat ? kept : dice)) };
  const landed = without.dice.map((dice, at) => received[at] ?? dice);
  const fly = from.map((spot, nth) => flight(face, spot, target(nth)));
  return [{ state: without, ms: 0 }, { state: { ...without, ...arrived, dice: landed }, ms: FLIGHT_MS, fly }];
}

/** @param {number} face @param {Spot} from @param {Spot} to */
function flight(face, from, to) {
  return { shape: die(face, 0, 0, from.size, { strong: isHandedOn(face) }), from: [from.x, from.y], to: [to.x, to.y], arc: 60 };
}
