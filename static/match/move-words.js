/** Moves that are words, in the language of the page. Other moves are the same in every language. */

/* global gettext */

/** @returns {Record<string, string>} by the notation of the game */
function moveWords() {
  // Translators: moves that people type at a match: to throw the dice, to end one's turn, to swap sides.
  return { roll: gettext("roll"), stop: gettext("stop"), swap: gettext("swap") };
}

/** What to type for a move. @param {string} move */
export const moveInWords = (move) => moveWords()[move] ?? move;

/**
 * The move for a typed text: words in the language of the page and in English, in any case.
 *
 * @param {string} text
 */
export function moveTyped(text) {
  const typed = text.toLowerCase();
  const found = Object.entries(moveWords()).find(([move, word]) => typed === move || typed === word.toLowerCase());
  return found ? found[0] : text;
}
