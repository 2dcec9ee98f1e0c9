/** The proved result of a position, in words. */

/* global gettext, interpolate */

/** @typedef {{result: number, score: number|null, turns: number|null}} Value for the seat to move: 1 a win, 0 a draw, -1 a loss */

/**
 * Show the proved result of a position, if it has one.
 *
 * @param {HTMLElement} line
 * @param {{value: Value|null, state: {turn: number}}|null} told
 * @param {string[]} names
 */
export function showValue(line, told, names) {
  line.hidden = !told?.value;
  line.textContent = told?.value ? valueWords(told.value, told.state.turn, names) : "";
}

/**
 * @param {Value} value of a position between two
 * @param {number} turn the seat to move
 * @param {string[]} names
 */
export function valueWords({ result, score }, turn, names) {
  if (result === 0) {
    return gettext("Proved: a draw.");
  }
  const words = score === null ? gettext("Proved: %(name)s wins.") : gettext("Proved: %(name)s wins by %(score)s.");
  return interpolate(words, { name: names[result > 0 ? turn : 1 - turn], score: Math.abs(score ?? 0) }, true);
}
