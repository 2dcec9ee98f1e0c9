/**
 * The live part of the pages of tournaments and evenings: fetched anew when something has changed. Parts with
 * `data-of-state` are replaced when the state of the page is another.
 */

import { byId, findAll } from "../parts/elements.js";
import { showLocalTimes } from "../parts/local-times.js";
import { freshPage } from "../net/refresh.js";

/** In place of a version: what the page is about was deleted, and asking again is of no use. */
const GONE = "";

/** How often a page asks whether anything has changed, in milliseconds. */
const ASK = 8_000;

/** Keep `#live` of a tournament up to date. */
export function followTournament() {
  const page = byId("tournament");
  follow(page, `/api/v1/tournaments/${page.dataset.tournament}`, ASK);
}

/**
 * Keep `#live` up to date.
 *
 * @param {HTMLElement} page has the version that it shows in `data-version`
 * @param {string} address where JSON with the current `version` is
 * @param {number} every milliseconds between two looks
 */
export function follow(page, address, every) {
  showLocalTimes(page);
  const asking = setInterval(() => document.hidden || look(), every);

  async function look() {
    const version = await versionOf(address);
    if (version === GONE) {
      clearInterval(asking);
    } else {
      await show(page, version);
    }
  }
}

/** @param {HTMLElement} page @param {string|null} version */
async function show(page, version) {
  const live = byId("live");
  // What somebody is using by keyboard is not replaced under their hands.
  if (version === null || version === page.dataset.version || live.contains(document.activeElement)) {
    return;
  }
  const whole = await freshPage();
  const fresh = whole?.getElementById("live");
  if (whole && fresh) {
    showLocalTimes(fresh);
    keepOpen(live, fresh);
    live.replaceWith(fresh);
    if (showState(page, whole)) {
      // It may be an earlier one: the table of a large tournament is some seconds old.
      page.dataset.version = whole.getElementById(page.id)?.dataset.version ?? version;
    }
  }
}

/**
 * Replace the parts outside `#live` that another state of the page has otherwise: nobody enters what has finished.
 *
 * @param {HTMLElement} page
 * @param {Document} whole the fresh page
 * @returns {boolean} whether that is done; a part that somebody is using waits
 */
function showState(page, whole) {
  let done = true;
  for (const part of findAll(page, "[data-of-state]")) {
    const fresh = whole.getElementById(part.id);
    if (!fresh || fresh.dataset.ofState === part.dataset.ofState) {
      continue;
    }
    if (part.contains(document.activeElement)) {
      done = false;
    } else {
      part.replaceWith(fresh);
    }
  }
  return done;
}

/** @param {string} address */
async function versionOf(address) {
  try {
    const answer = await fetch(address, { cache: "no-store" });
    if (answer.status === 404) {
      return GONE;
    }
    return answer.ok ? String((await answer.json()).version) : null;
  } catch {
    return null;
  }
}

/** Folds that were open stay open. @param {HTMLElement} old @param {HTMLElement} fresh */
function keepOpen(old, fresh) {
  const folds = fresh.querySelectorAll("details");
  old.querySelectorAll("details").forEach((fold, place) => folds[place]?.toggleAttribute("open", fold.open));
}
