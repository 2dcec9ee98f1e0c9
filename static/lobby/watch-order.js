/** Which matches are offered for watching, and in which order. Pure. */

/** Boards in the grid at first, and how many "More" adds. */
export const PAGE = 12;

/**
 * Most watched first; equals stay in the order they came in.
 *
 * @template {{id: string}} Item
 * @param {Item[]} matches
 * @param {ReadonlyMap<string, number>} counts
 */
export function mostWatchedFirst(matches, counts) {
  /** @param {{id: string}} match */
  const watchers = ({ id }) => counts.get(id) ?? 0;
  return [...matches].sort((a, b) => watchers(b) - watchers(a));
}

/**
 * The same items, with those on the page in their places and new ones after them, so that nothing moves under the
 * pointer.
 *
 * @template {{id: string}} Item
 * @param {Item[]} items
 * @param {string[]} before ids on the page, in their order
 */
export function steady(items, before) {
  const place = new Map(before.map((id, nth) => [id, nth]));
  const known = items.filter(({ id }) => place.has(id)).sort((a, b) => (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0));
  return [...known, ...items.filter(({ id }) => !place.has(id))];
}
