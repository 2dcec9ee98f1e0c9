/** Dice without a match: rolled by the browser, or typed. */

/** @typedef {{count: number, sides: number}} Due the dice that are about to be rolled */

/**
 * The faces of a roll.
 *
 * @param {Due} due
 * @param {() => number} [random] at least 0, below 1
 */
export function thrown({ count, sides }, random = Math.random) {
  return Array.from({ length: count }, () => 1 + Math.floor(random() * sides));
}

/** The faces in a text such as "3 4 1"; null if it has other than the dice that are due. @param {string} text @param {Due} due */
export function facesIn(text, { count, sides }) {
  const numbers = sides > 9 ? (text.match(/\d+/g) ?? []) : (text.match(/\d/g) ?? []);
  const faces = numbers.map(Number);
  return faces.length === count && faces.every((face) => face >= 1 && face <= sides) ? faces : null;
}
