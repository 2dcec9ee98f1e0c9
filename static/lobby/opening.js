/** Opens the next match of a round by itself, on pages where people wait for it. */

import { onPersonal } from "../net/me.js";

/**
 * Open each match that the server tells of, but none from which the player has come back.
 *
 * @param {string} known the matches that the page came with, with spaces between them; a later look at the page tells
 * of matches that are still to be opened
 */
export function openNextMatches(known) {
  const seen = new Set(known.split(" "));

  /** @param {FromPersonal.NextMatchFields} next */
  function open({ match }) {
    if (!seen.has(match)) {
      seen.add(match);
      location.assign(`/m/${match}`);
    }
  }

  onPersonal("hello", ({ next }) => next.forEach(open));
  onPersonal("next-match", ({ next }) => open(next));
}
