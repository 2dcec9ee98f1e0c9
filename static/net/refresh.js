/** Parts of a page that are asked of the server again, and replaced in place. */

import { pause } from "./socket.js";

/** How often a part is asked for again at most: for half a minute, in which results are long settled. */
const MOST = 8;

/**
 * @typedef {object} World
 * @property {() => Promise<Response>} ask for this page
 * @property {(ms: number) => Promise<unknown>} wait
 */

/** @type {World} */
const BROWSER = {
  ask: () => fetch(location.href, { cache: "no-store" }),
  wait: (ms) => new Promise((done) => setTimeout(done, ms)),
};

/**
 * This page as the server makes it now; null if it cannot be had.
 *
 * @param {World} [world]
 */
export async function freshPage({ ask } = BROWSER) {
  try {
    const answer = await ask();
    return answer.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
  } catch {
    return null;
  }
}

/**
 * Replace each part that shows the results of a match before they are settled, once they are.
 *
 * @param {World} [world]
 */
export async function bindUnsettled(world = BROWSER) {
  for (let attempt = 0; attempt < MOST; attempt++) {
    const part = document.querySelector("[data-unsettled]");
    if (!part) {
      return;
    }
    await world.wait(pause(attempt, 0.5));
    const fresh = (await freshPage(world))?.getElementById(part.id);
    if (fresh && !("unsettled" in fresh.dataset)) {
      part.replaceWith(fresh);
    }
  }
}
