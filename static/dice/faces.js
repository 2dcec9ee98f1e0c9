/** How often each face fell, and how often it may be expected to. Pure. */

/** How many counts of fair dice lie within their bands. */
export const SHARE = 0.95;

/**
 * @typedef {object} Count
 * @property {number} face
 * @property {number} count how often it fell
 * @property {number} low the fewest times that are nothing unusual
 * @property {number} high the most
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
 * How many of so many trials succeed: the shortest row of counts from the middle of the binomial
 * distribution that leaves at most (1 - SHARE) / 2 of it on either side.
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
  // In logarithms: a chance of none at all among thousands is too small for a number.
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
