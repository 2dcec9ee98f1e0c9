/** What happens, for ear and hand: a sound and a vibration, as far as each is switched on. */

import { setting } from "./settings.js";
import { VOLUMES, createSounds } from "./sound.js";
import { createVibration } from "./vibration.js";

/** Seconds from the beginning of one of several sounds to the next. */
const APART = 0.16;

const play = createSounds({ wanted: () => setting("sound") === "on", volume: () => VOLUMES[setting("volume")] });
const tremble = createVibration(() => setting("vibration") === "on");

/** @param {import("./sound.js").Name} name */
export function signal(name) {
  play(name);
  tremble(name);
}

/** What happened at once, one after the other; each of a kind once. @param {import("./sound.js").Name[]} names */
export function signals(names) {
  [...new Set(names)].forEach((name, nth) => {
    play(name, nth * APART);
    tremble(name);
  });
}
