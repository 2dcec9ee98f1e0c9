/** The names of players whom nobody has named. */

import { say } from "./sentences.js";

/* global gettext */

/** @param {number} seats */
export const playerNames = (seats) => Array.from({ length: seats }, (_, seat) => say(gettext("Player %(number)s"), { number: seat + 1 }));
