/** Interpolation of sentences, and lists in the language of the page. Pure: the catalogue decides. */

/* global gettext, interpolate */

/** @param {string} sentence @param {object} words values by placeholder */
export const say = (sentence, words) => interpolate(sentence, words, true);

/**
 * A list in the language of the page: "A, B and C".
 *
 * @param {(string|number)[]} things
 */
export const listed = (things) => joined(things, "conjunction");

/**
 * A list of alternatives: "A, B or C".
 *
 * @param {(string|number)[]} things
 */
export const oneOf = (things) => joined(things, "disjunction");

/** A share as a whole number of per cent, as the language of the page writes it. @param {number} share from 0 to 1 */
export const percent = (share) => share.toLocaleString(gettext("en-GB"), { style: "percent", maximumFractionDigits: 0 });

/** @param {(string|number)[]} things @param {Intl.ListFormatType} type */
function joined(things, type) {
  // Translators: the code of this language. Lists are written by its customs: no comma before the last "and".
  return new Intl.ListFormat(gettext("en-GB"), { type }).format(things.map(String));
}
