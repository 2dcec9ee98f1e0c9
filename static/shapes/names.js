/**
 * Names in drawings, where nothing measures type: they must not outgrow their room, whatever the typeface.
 *
 * Letters keep their shape. A name that has no room at its size is written smaller, and only what has no
 * room then either is cut.
 */

import { round } from "./svg.js";

/** Widths of letters in parts of the size of the type, as wide as a usual typeface has them. */
const [NARROW, USUAL, LARGE, BROAD] = [0.38, 0.63, 0.73, 0.98];
/** How much wider bold letters are. */
const BOLD = 1.12;
/** What the type may shrink to. */
const SMALLEST = 0.8;
/** What fits but for the rounding of sums. */
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
 * A name as it has room, and the size of its type.
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
