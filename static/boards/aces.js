/**
 * Aces: a round table, a tray of dice for each seat, the centre in the middle. games/pictures/aces.py draws the same shapes.
 */

export { draw } from "./aces/draw.js";
export { cells, controls, pick } from "./aces/input.js";
export { viewBox } from "./aces/layout.js";
export { motion, sounds } from "./aces/motion.js";
export { coach, fact, narrate, notation, prompt, result, summary, tally } from "./aces/words.js";
