/** Which matches are shown to watch, and in which order. Pure. */

/** Boards in the grid before anybody asks for more, and how many more they get. */
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
 * The same items with those that are on the page where they are, and new ones after them: nothing moves
 * away under somebody's hand.
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
