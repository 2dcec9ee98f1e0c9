/** The board for a wall: the live part only, on a screen that stays on. */

import { followTournament } from "../lobby/tournament-live.js";
import { createWakefulness } from "../parts/awake.js";
import { findAll } from "../parts/elements.js";

/** How often the pictures of boards in play are fetched anew, in milliseconds. */
const AGAIN = 8_000;

followTournament();
createWakefulness()(true);
setInterval(() => {
  for (const image of findAll(document, "[data-picture]", HTMLImageElement)) {
    image.src = `${image.dataset.picture}?${Date.now()}`;
  }
}, AGAIN);
