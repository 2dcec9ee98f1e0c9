/** My finished matches on the front page: matches that leave the list in play are added here. */

import { freshPage } from "../net/refresh.js";

/**
 * @param {Iterable<string>} playing my matches in play on the page
 * @param {typeof freshPage} [load]
 * @returns {(now: string[]) => Promise<void>} called with those in play now
 */
export function bindFinished(playing, load = freshPage) {
  let before = new Set(playing);
  return async (now) => {
    const isOver = [...before].some((id) => !now.includes(id));
    before = new Set(now);
    if (isOver) {
      show(await load());
    }
  };
}

/** @param {Document|null} fresh */
function show(fresh) {
  const [shown, next] = [document, fresh].map((page) => page?.getElementById("finished"));
  if (!shown || !next) {
    return;
  }
  const focused = shown.contains(document.activeElement) && document.activeElement?.getAttribute("href");
  shown.replaceWith(next);
  if (focused) {
    /** @type {HTMLElement|null} */ (next.querySelector(`[href="${CSS.escape(focused)}"]`))?.focus();
  }
  // The sentence for an empty list changes once there is a finished match.
  const [empty, said] = [document, fresh].map((page) => page?.getElementById("no-mine"));
  empty?.replaceChildren(said?.textContent ?? "");
}
