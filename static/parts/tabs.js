/** Tabs: a row of which one is pressed, by hand or by the keys that lead from one to the next. */

/**
 * Where a key leads from tab number `from`; null for keys that lead nowhere.
 *
 * @param {string} key
 * @param {number} from
 * @param {number} count
 */
export function target(key, from, count) {
  switch (key) {
    case "ArrowRight":
      return (from + 1) % count;
    case "ArrowLeft":
      return (from + count - 1) % count;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return null;
  }
}
