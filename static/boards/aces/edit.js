/** Setting up a position of Aces: dice of seats and in the centre. */

import { say } from "../../words/sentences.js";

/** @typedef {import("./position.js").State} State */

/* global gettext */

const FACES = ["1", "2", "3", "4", "5", "6"];
const LESS = "less";

export const tools = () => [
  { name: "0", label: gettext("Unrolled die") },
  ...FACES.map((face) => ({ name: face, label: say(gettext("Die with %(face)s"), { face }) })),
  { name: LESS, label: gettext("One die less") },
];

/** @param {string} cell @param {string} tool @param {State} state */
export function press(cell, tool, state) {
  if (cell === "centre") {
    return { ...state, centre: Math.max(0, state.centre + (tool === LESS ? -1 : 1)) };
  }
  const dice = state.dice.map((held, seat) => {
    const changed = tool === LESS ? held.slice(0, -1) : [...held, Number(tool)];
    return cell === `seat-${seat}` ? changed : held;
  });
  return { ...state, dice, due: false };
}

/** @param {State} state */
export const clear = (state) => ({ ...state, dice: state.dice.map(() => []), centre: 0, throws: 0, due: false });
