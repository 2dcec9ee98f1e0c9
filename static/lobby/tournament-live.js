/** The pages of tournaments and evenings: their live parts are updated when something has changed. */

import { getJson } from "../net/json.js";
import { byId } from "../parts/elements.js";
import { showLocalTimes } from "../parts/local-times.js";
import { refreshLive } from "../parts/refresh.js";

/** In place of a version: what the page is about was deleted, and asking again is of no use. */
const GONE = "";

/** How often a page asks whether anything has changed, in milliseconds. */
const ASK = 8_000;

/** Keep the page of a tournament up to date. */
export function followTournament() {
  const page = byId("tournament");
  follow(page, page.dataset.asks ?? "", ASK);
}

/**
 * Keep the live parts of this page up to date.
 *
 * @param {HTMLElement} page has the version that it shows in `data-version`
 * @param {string} address where JSON with the current `version` is
 * @param {number} every milliseconds between two looks
 * @param {() => void} [onGone] called once if it was deleted
 */
export function follow(page, address, every, onGone = () => {}) {
  showLocalTimes(page);
  const asking = setInterval(() => document.hidden || look(), every);

  async function look() {
    const version = await versionOf(address);
    if (version === GONE) {
      clearInterval(asking);
      onGone();
    } else {
      await show(page, version);
    }
  }
}

/** @param {HTMLElement} page @param {string|null} version */
async function show(page, version) {
  if (version === null || version === page.dataset.version) {
    return;
  }
  const whole = await refreshLive();
  if (whole) {
    // It may be an earlier one: the table of a large tournament is some seconds old.
    page.dataset.version = whole.getElementById(page.id)?.dataset.version ?? version;
  }
}

/** @param {string} address */
async function versionOf(address) {
  const { ok, status, told } = await getJson(address, { cache: "no-store" });
  if (status === 404) {
    return GONE;
  }
  return ok && told ? String(told.version) : null;
}
