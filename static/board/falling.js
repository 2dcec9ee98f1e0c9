/** The moment at which a match ends, for users who saw it: the result in large letters, and after a win seeds that fall. */

import { scatter } from "../shapes/svg.js";

const SEEDS = 36;

/**
 * Show the result over an area for a second, and let seeds fall. The sheet below says the result too.
 *
 * @param {HTMLElement} over the area
 * @param {string} words
 * @param {boolean} joyful whether seeds fall
 */
export function celebrate(over, words, joyful) {
  showResult(over, words);
  if (joyful) {
    letFall(over);
  }
}

/** @param {HTMLElement} over */
function letFall(over) {
  const layer = document.createElement("div");
  layer.className = "match-fall";
  layer.setAttribute("aria-hidden", "true");
  layer.append(...Array.from({ length: SEEDS }, (_, nth) => seed(nth)));
  over.append(layer);
  Promise.allSettled(layer.getAnimations({ subtree: true }).map(({ finished }) => finished)).then(() => layer.remove());
}

/** @param {HTMLElement} over @param {string} words */
function showResult(over, words) {
  const element = document.createElement("p");
  element.className = "match-moment";
  element.setAttribute("aria-hidden", "true");
  element.textContent = words;
  over.append(element);
  Promise.allSettled(element.getAnimations().map(({ finished }) => finished)).then(() => element.remove());
}

/** @param {number} nth */
function seed(nth) {
  const element = document.createElement("i");
  /** Each property of a seed, from 0 to 1. */
  const habits = { from: (nth + scatter(nth, 1)) / SEEDS, late: scatter(nth, 2), drift: scatter(nth, 3), spin: scatter(nth, 4) };
  for (const [name, share] of Object.entries(habits)) {
    element.style.setProperty(`--${name}`, share.toFixed(3));
  }
  return element;
}
