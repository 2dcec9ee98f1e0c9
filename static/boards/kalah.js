/**
 * The Kalah board: a plank with two rows of pits and a store at either end; on a narrow one the rows are two halves of a
 * ring, around the stores. games/pictures/kalah.py draws the same shapes.
 */

export { coach } from "./kalah/coach.js";
export { draw, tracks } from "./kalah/draw.js";
export { cells, controls, hasButtons, pick, premoves } from "./kalah/input.js";
export { viewBox } from "./kalah/layout.js";
export { motion, sounds } from "./kalah/motion.js";
export { fact, moveName, narrate, notation, prompt, result, summary, tally, typedMove } from "./kalah/words.js";
