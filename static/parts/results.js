/** Parts with unsettled results of a match, refetched until they are settled. Loaded only on pages that have one. */

import { pause } from "../net/pause.js";
import { morph } from "./morph.js";
import { freshPage } from "./refresh.js";

/** The most requests for a part, over half a minute: results are settled long before. */
const MOST = 8;

/**
 * Update each part with unsettled results once they are settled.
 *
 * @param {import("./refresh.js").World} [world]
 * @param {(ms: number) => Promise<unknown>} [wait]
 */
export async function bindUnsettled(world, wait = (ms) => new Promise((done) => setTimeout(done, ms))) {
  for (let attempt = 0; attempt < MOST; attempt++) {
    const part = /** @type {HTMLElement|null} */ (document.querySelector("[data-unsettled]"));
    if (!part) {
      return;
    }
    await wait(pause(attempt, 0.5));
    const fresh = (await freshPage(world))?.getElementById(part.id);
    if (fresh && !("unsettled" in fresh.dataset)) {
      morph(part, fresh);
    }
  }
}
