/**
 * The board of Can't Stop: a mountain with eleven paths, each with a stop sign at its summit. The dice lie on the left;
 * the players, or on a narrow board the chance of a bust, are on the right. games/pictures/cantstop.py draws the same shapes.
 */

export { coach } from "./cantstop/coach.js";
export { bustOdds } from "./cantstop/odds.js";
export { draw, tracks } from "./cantstop/draw.js";
export { cells, controls, pick } from "./cantstop/input.js";
export { viewBox } from "./cantstop/layout.js";
export { motion, sounds } from "./cantstop/motion.js";
export { fact, narrate, notation, prompt, result, summary, tally } from "./cantstop/words.js";
