/** Which of its two drawings a board shows in a space. */

/**
 * Whether a board fills a space better when it draws itself for a narrow screen.
 *
 * @param {[number, number]} wide width and height of the board as it is drawn for a wide one
 * @param {[number, number]} narrow
 * @param {number} aspect width by height of the space
 */
export function fitsNarrow(wide, narrow, aspect) {
  /** @param {[number, number]} size */
  const waste = ([width, height]) => Math.abs(Math.log(width / height / aspect));
  return waste(narrow) < waste(wide);
}
