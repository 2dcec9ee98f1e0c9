/** How sentences are filled in, and how lists are written in the language of the page. Pure: the catalogue decides. */

/* global gettext, interpolate */

/** @param {string} sentence @param {object} words what stands in it, by name */
export const say = (sentence, words) => interpolate(sentence, words, true);

/**
 * A list as the reader's language writes it: "A, B and C".
 *
 * @param {(string|number)[]} things
 */
export const listed = (things) => joined(things, "conjunction");

/**
 * What there is to choose from, written likewise: "A, B or C".
 *
 * @param {(string|number)[]} things
 */
export const oneOf = (things) => joined(things, "disjunction");

/** @param {(string|number)[]} things @param {Intl.ListFormatType} type */
function joined(things, type) {
  // Translators: the code of this language. Lists are written by its customs: no comma before the last "and".
  return new Intl.ListFormat(gettext("en-GB"), { type }).format(things.map(String));
}
