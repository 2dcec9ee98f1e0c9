/** Exponential backoff with jitter. */

const FIRST_PAUSE = 500;
/** Everybody is back within five seconds of a server. */
const LONGEST_PAUSE = 4_000;

/**
 * Milliseconds to wait before attempt number `attempt` (0, 1, 2 ...), with `random` in [0, 1).
 *
 * @param {number} attempt
 * @param {number} random
 */
export function pause(attempt, random) {
  return Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** attempt) * (0.5 + random / 2);
}
