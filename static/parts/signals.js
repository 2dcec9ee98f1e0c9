/** Signals for events: a sound and a vibration, if switched on. */

import { setting } from "./settings.js";
import { VOLUMES, createSounds } from "./sound.js";
import { createVibration } from "./vibration.js";

/** Seconds between the starts of several sounds. */
const APART = 0.16;

const play = createSounds({ wanted: () => setting("sound") === "on", volume: () => VOLUMES[setting("volume")] });
const tremble = createVibration(() => setting("vibration") === "on");

/** @param {import("./sound.js").Name} name */
export function signal(name) {
  play(name);
  tremble(name);
}

/** Signal simultaneous events one after the other, each kind once. @param {import("./sound.js").Name[]} names */
export function signals(names) {
  [...new Set(names)].forEach((name, nth) => {
    play(name, nth * APART);
    tremble(name);
  });
}
