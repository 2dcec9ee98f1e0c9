/** A rematch that has begun: who asked for it is taken there; everyone else finds a link. */

import { follow } from "../match/store.js";

/**
 * @param {import("./connection.js").Connection} connection
 * @param {(match: string) => string} addressOf
 * @returns {() => void} unbind
 */
export function bindRematch({ store }, addressOf) {
  return follow(store, (now, before) => {
    const mine = now.you !== null && now.offered.includes(now.you);
    if (mine && now.rematch !== null && before.rematch === null && before.match) {
      location.assign(addressOf(now.rematch));
    }
  });
}
