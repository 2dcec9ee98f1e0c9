/**
 * The boards of Nine Men's Morris and its relatives: squares of lines on a plank, the men, and a rail for each side, with
 * a socket for each of its men: those in hand come first, those lost last. games/pictures/morris.py draws the same shapes.
 */

export { coach } from "./morris/coach.js";
export { draw, held, mark, tracks } from "./morris/draw.js";
export { cells, controls, hasButtons, pick, premoves } from "./morris/input.js";
export { viewBox } from "./morris/layout.js";
export { motion, sounds } from "./morris/motion.js";
export { fact, narrate, prompt, result, summary, tally } from "./morris/words.js";
