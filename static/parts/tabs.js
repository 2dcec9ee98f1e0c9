/** Tabs, selected by press or arrow keys. */

/**
 * The tab that a key leads to from tab number `from`; null for other keys.
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
