/** Phones tremble for what one would not want to miss; nothing else does, and nowhere else. */

/** Milliseconds of trembling and of rest in turn, by the name of the sound that goes with it. @type {Record<string, number[]>} */
export const PATTERNS = Object.freeze({
  "your-turn": [30, 60, 30],
  capture: [25],
  win: [40, 60, 40, 60, 120],
});

/**
 * @param {() => boolean} wanted
 * @param {{navigator?: {vibrate?: (pattern: number[]) => boolean, userActivation?: {hasBeenActive: boolean}}}} [world]
 * @returns {(name: string) => void}
 */
export function createVibration(wanted, world = globalThis) {
  return (name) => {
    const pattern = PATTERNS[name];
    // Browsers let no page tremble before somebody has touched it, and say so on the console.
    if (pattern && wanted() && world.navigator?.userActivation?.hasBeenActive) {
      world.navigator.vibrate?.(pattern);
    }
  };
}
