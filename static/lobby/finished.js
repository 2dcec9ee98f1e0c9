/** My finished matches on the front page: matches that leave the list in play are added here. */

import { refreshLive } from "../parts/refresh.js";

/**
 * @param {Iterable<string>} playing my matches in play on the page
 * @returns {(now: string[]) => Promise<void>} called with those in play now
 */
export function bindFinished(playing) {
  let before = new Set(playing);
  return async (now) => {
    const isOver = [...before].some((id) => !now.includes(id));
    before = new Set(now);
    if (isOver) {
      const fresh = await refreshLive();
      // The sentence for an empty list changes once there is a finished match.
      const [empty, said] = [document, fresh].map((page) => page?.getElementById("no-mine"));
      if (said) {
        empty?.replaceChildren(said.textContent ?? "");
      }
    }
  };
}
