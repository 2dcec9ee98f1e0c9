/** Parts of a page that are refetched and updated in place (`morph.js` says how their elements are told apart). */

import { findAll } from "./elements.js";
import { showLocalTimes } from "./local-times.js";
import { morph } from "./morph.js";

/** @typedef {{ask: () => Promise<Response>}} World fetches this page */

/** @type {World} */
const BROWSER = { ask: () => fetch(location.href, { cache: "no-store" }) };

/**
 * This page, refetched; null on failure.
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
 * Update the live parts: elements with `data-live` and an id.
 *
 * @param {World} [world]
 * @returns {Promise<Document|null>} the page as it is now; null on failure
 */
export async function refreshLive(world) {
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
