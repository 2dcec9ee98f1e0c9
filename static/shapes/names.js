/**
 * Fits names into drawings without measuring text: they must not overflow in any typeface.
 *
 * Letters keep their shape. A name that is too long is written smaller, and cut only if that is not enough.
 */

import { round } from "./svg.js";

/** Letter widths in em, of a common typeface. */
const [NARROW, USUAL, LARGE, BROAD] = [0.38, 0.63, 0.73, 0.98];
/** Factor for bold letters. */
const BOLD = 1.12;
/** The smallest factor on the font size. */
const SMALLEST = 0.8;
/** Tolerance for rounding. */
const NEARLY = 1.001;

/** @param {string} letter */
function widthOf(letter) {
  if (/[fijlrtIJ.,:;'’!|() -]/u.test(letter)) {
    return NARROW;
  }
  if (/[mwMW@…жмфшщыюЖМФШЩЫЮ]/u.test(letter)) {
    return BROAD;
  }
  return /\p{Lu}/u.test(letter) ? LARGE : USUAL;
}

/** @param {string[]} letters */
const lengthOf = (letters) => letters.reduce((length, letter) => length + widthOf(letter), 0);

/**
 * A name that fits, and its font size.
 *
 * @param {string} name
 * @param {number} room
 * @param {number} size
 * @param {boolean} [bold]
 * @returns {{words: string, size: number}}
 */
export function fitted(name, room, size, bold = false) {
  const letters = [...name];
  const space = room / (bold ? BOLD : 1);
  const type = Math.min(size, Math.max(SMALLEST * size, space / lengthOf(letters)));
  let words = letters;
  for (let kept = letters.length - 1; kept > 0 && lengthOf(words) * type > space * NEARLY; kept -= 1) {
    words = [...letters.slice(0, kept), "…"];
  }
  return { words: words.join(""), size: round(type) };
}
