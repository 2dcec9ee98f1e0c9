/** My finished matches on the front page: what is no longer in play is found there. */

import { freshPage } from "../net/refresh.js";

/**
 * @param {Iterable<string>} playing the matches of mine that the page shows in play
 * @param {typeof freshPage} [load]
 * @returns {(now: string[]) => Promise<void>} tell which are in play now
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
  // With a finished match the sentence of an empty list is another one.
  const [empty, said] = [document, fresh].map((page) => page?.getElementById("no-mine"));
  empty?.replaceChildren(said?.textContent ?? "");
}
