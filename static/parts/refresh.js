/** Parts of a page that are refetched and updated in place (`morph.js` says how their elements are told apart). */

import { pause } from "../net/socket.js";
import { findAll } from "./elements.js";
import { showLocalTimes } from "./local-times.js";
import { morph } from "./morph.js";

/** The most requests for a part, over half a minute: results are settled long before. */
const MOST = 8;

/**
 * @typedef {object} World
 * @property {() => Promise<Response>} ask fetches this page
 * @property {(ms: number) => Promise<unknown>} wait
 */

/** @type {World} */
const BROWSER = {
  ask: () => fetch(location.href, { cache: "no-store" }),
  wait: (ms) => new Promise((done) => setTimeout(done, ms)),
};

/**
 * This page, refetched; null on failure.
 *
 * @param {World} [world]
 */
async function freshPage({ ask } = BROWSER) {
  try {
    const answer = await ask();
    return answer.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
  } catch {
    return null;
  }
}

/**
 * Update the live parts: elements with `data-live` and an id.
 *
 * @param {World} [world]
 * @returns {Promise<Document|null>} the page as it is now; null on failure
 */
export async function refreshLive(world = BROWSER) {
  const whole = await freshPage(world);
  for (const part of whole ? findAll(document, "[data-live]") : []) {
    const fresh = whole?.getElementById(part.id);
    if (fresh) {
      showLocalTimes(fresh);
      morph(part, fresh);
    }
  }
  return whole;
}

/**
 * Update each part with unsettled results of a match once they are settled.
 *
 * @param {World} [world]
 */
export async function bindUnsettled(world = BROWSER) {
  for (let attempt = 0; attempt < MOST; attempt++) {
    const part = /** @type {HTMLElement|null} */ (document.querySelector("[data-unsettled]"));
    if (!part) {
      return;
    }
    await world.wait(pause(attempt, 0.5));
    const fresh = (await freshPage(world))?.getElementById(part.id);
    if (fresh && !("unsettled" in fresh.dataset)) {
      morph(part, fresh);
    }
  }
}
