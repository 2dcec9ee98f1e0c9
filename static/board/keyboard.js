/** Where the keys for moving about lead on a board. Pure. */

/** @typedef {[row: number, column: number]} Place */

/** @type {Record<string, [down: number, right: number]>} */
const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

/**
 * The cell that an arrow key leads to: the next one in that direction, past holes and further parts of the same cell;
 * at the edge, the starting cell.
 *
 * @param {(string|null)[][]} rows
 * @param {Place} from
 * @param {[number, number]} step
 * @returns {Place}
 */
export function walk(rows, [row, column], [down, right]) {
  const here = rows[row][column];
  let [r, c] = [row + down, column + right];
  while (rows[r] && c >= 0 && c < Math.max(...rows.map((cells) => cells.length))) {
    const name = rows[r][c] ?? null;
    if (name !== null && name !== here) {
      return [r, c];
    }
    [r, c] = [r + down, c + right];
  }
  return [row, column];
}

/**
 * @param {(string|null)[][]} rows
 * @param {Place} from
 * @param {string} key
 * @returns {Place|null} where an arrow key, Home or End leads; null for other keys
 */
export function placeAfter(rows, from, key) {
  const row = rows[from[0]];
  if (key in STEPS) {
    return walk(rows, from, STEPS[key]);
  }
  if (key === "Home") {
    return [from[0], row.findIndex((cell) => cell !== null)];
  }
  return key === "End" ? [from[0], row.findLastIndex((cell) => cell !== null)] : null;
}
