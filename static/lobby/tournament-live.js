/** The live part of a tournament's pages: fetched anew when the tournament has changed. */

import { byId } from "../parts/elements.js";
import { showLocalTimes } from "../parts/local-times.js";
import { freshPage } from "../net/refresh.js";

/** How often a page asks whether anything has changed, in milliseconds. */
const ASK = 8_000;

/** Keep `#live` up to date. */
export function followTournament() {
  const page = byId("tournament");
  showLocalTimes(page);
  setInterval(() => document.hidden || look(page), ASK);
}

/** @param {HTMLElement} page */
async function look(page) {
  const version = await versionOf(page.dataset.tournament ?? "");
  const live = byId("live");
  // What somebody is using by keyboard is not replaced under their hands.
  if (version === null || version === page.dataset.version || live.contains(document.activeElement)) {
    return;
  }
  const fresh = (await freshPage())?.getElementById("live");
  if (fresh) {
    showLocalTimes(fresh);
    keepOpen(live, fresh);
    live.replaceWith(fresh);
    page.dataset.version = version;
  }
}

/** @param {string} id */
async function versionOf(id) {
  try {
    const answer = await fetch(`/api/v1/tournaments/${id}`, { cache: "no-store" });
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
