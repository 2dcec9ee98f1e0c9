/** Chooses between a board's wide and narrow drawing. */

/**
 * Whether the narrow drawing fills a space better.
 *
 * @param {[number, number]} wide width and height of the wide drawing
 * @param {[number, number]} narrow
 * @param {number} aspect width by height of the space
 */
export function fitsNarrow(wide, narrow, aspect) {
  /** @param {[number, number]} size */
  const waste = ([width, height]) => Math.abs(Math.log(width / height / aspect));
  return waste(narrow) < waste(wide);
}
