/** Vibration on phones, for important events only. */

/** Milliseconds of vibration and pause in turn, by sound name. @type {Record<string, number[]>} */
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
    // Browsers block vibration before the first user gesture, with a warning on the console.
    if (pattern && wanted() && world.navigator?.userActivation?.hasBeenActive) {
      world.navigator.vibrate?.(pattern);
    }
  };
}
