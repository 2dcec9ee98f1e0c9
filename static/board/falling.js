/** Seeds that fall past the board after a win, for users who saw the match end. */

import { isStill } from "../parts/settings.js";
import { scatter } from "../shapes/svg.js";

const SEEDS = 36;

/**
 * Start the animation, unless motion is reduced.
 *
 * @param {HTMLElement} over the area
 */
export function letFall(over) {
  if (isStill()) {
    return;
  }
  const layer = document.createElement("div");
  layer.className = "match-fall";
  layer.setAttribute("aria-hidden", "true");
  layer.append(...Array.from({ length: SEEDS }, (_, nth) => seed(nth)));
  over.append(layer);
  Promise.allSettled(layer.getAnimations({ subtree: true }).map(({ finished }) => finished)).then(() => layer.remove());
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
