/** How often each face fell, and its expected range. Pure. */

/** The share of fair dice whose counts lie within the band. */
export const SHARE = 0.95;

/**
 * @typedef {object} Count
 * @property {number} face
 * @property {number} count how often it fell
 * @property {number} low the lower end of the expected range
 * @property {number} high the upper end
 * @property {"below"|"within"|"above"} place
 *
 * @param {Array<{sides: number, faces: number[]}>} throws
 * @returns {Array<{sides: number, dice: number, counts: Count[]}>} one table for each kind of dice
 */
export function tally(throws) {
  const kinds = [...new Set(throws.map(({ sides }) => sides))].sort((a, b) => a - b);
  return kinds.map((sides) => {
    const fallen = throws.filter((thrown) => thrown.sides === sides).flatMap(({ faces }) => faces);
    const [low, high] = band(fallen.length, 1 / sides);
    const counts = Array.from({ length: sides }, (_, nth) => {
      const count = fallen.filter((face) => face === nth + 1).length;
      return { face: nth + 1, count, low, high, place: placeOf(count, low, high) };
    });
    return { sides, dice: fallen.length, counts };
  });
}

/**
 * @param {number} count
 * @param {number} low
 * @param {number} high
 * @returns {Count["place"]}
 */
function placeOf(count, low, high) {
  if (count < low) {
    return "below";
  }
  return count > high ? "above" : "within";
}

/**
 * The central interval of the binomial distribution: at most (1 - SHARE) / 2 lies on either side.
 *
 * @param {number} trials
 * @param {number} chance of each to succeed, above 0 and at most 1
 * @returns {[number, number]} the lowest and the highest count within
 */
export function band(trials, chance) {
  if (chance === 1) {
    return [trials, trials];
  }
  const tail = (1 - SHARE) / 2;
  /** @type {number|null} */
  let low = null;
  let below = 0;
  // Logarithms, because small probabilities underflow.
  let log = trials * Math.log1p(-chance);
  for (let count = 0; count < trials; count += 1) {
    below += Math.exp(log);
    low ??= below > tail ? count : null;
    if (below >= 1 - tail) {
      return [low ?? count, count];
    }
    log += Math.log((trials - count) / (count + 1)) + Math.log(chance) - Math.log1p(-chance);
  }
  return [low ?? trials, trials];
}
