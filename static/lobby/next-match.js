/** The next match of a tournament, offered on every page until the player opens it or its time is up. Loaded late. */

/* global gettext, interpolate */

import { byId, find, made, part } from "../parts/elements.js";

const SECOND = 1000;

/** So many seconds are counted one by one, more of them as minutes. */
const IN_SECONDS = 120;

/**
 * The offers by match; `waited` says whether the match has waited for me.
 *
 * @type {Map<string, {toast: HTMLElement, timer: number, waited: boolean}>}
 */
const offers = new Map();

/** Withdraw the offers of matches that the server no longer tells of. @param {FromPersonal.NextMatchFields[]} next */
export function keepOnly(next) {
  const open = new Set(next.map(({ match }) => match));
  [...offers.keys()].filter((match) => !open.has(match)).forEach(remove);
}

/** Withdraw the offers of matches that waited for me and no longer do. @param {Set<string>} waiting those that wait now */
export function turnsChanged(waiting) {
  for (const [match, offered] of offers) {
    if (offered.waited && !waiting.has(match)) {
      remove(match);
    }
    offered.waited ||= waiting.has(match);
  }
}

/**
 * Offer a match.
 *
 * @param {FromPersonal.NextMatchFields} next
 * @param {() => void} knock called when the offer is new
 */
export function offer(next, knock) {
  // The server may tell of it twice, and the page of the match needs no offer.
  if (offers.has(next.match) || document.getElementById("match")?.dataset.match === next.match) {
    return;
  }
  // It looks like an invitation back to a match.
  const toast = made(byId("call-toast", HTMLTemplateElement));
  part(toast, "words").append(nextWords(next), " ", document.createElement("span"));
  part(toast, "dismiss").addEventListener("click", () => remove(next.match));
  part(toast, "go", HTMLAnchorElement).href = `/m/${next.match}`;
  const until = next.left === null ? null : Date.now() + next.left;
  const timer = setInterval(() => count(toast, next.match, until), SECOND);
  offers.set(next.match, { toast, timer, waited: false });
  count(toast, next.match, until);
  byId("challenges").append(toast);
  knock();
}

/** Show the minutes or seconds left for the first move. @param {HTMLElement} toast @param {string} match @param {number|null} until */
function count(toast, match, until) {
  if (until === null) {
    return;
  }
  const left = Math.max(0, Math.ceil((until - Date.now()) / SECOND));
  find(toast, "span").textContent =
    left > IN_SECONDS
      ? interpolate(gettext("Make your first move within %(left)s min."), { left: Math.ceil(left / 60) }, true)
      : interpolate(gettext("Make your first move within %(left)s s."), { left }, true);
  if (left === 0) {
    remove(match);
  }
}

/** The sentence of an offer. @param {FromPersonal.NextMatchFields} next */
function nextWords({ name, round, opponents }) {
  const values = { name, round, opponents: opponents.join(", ") };
  return interpolate(gettext("%(name)s, round %(round)s: you play %(opponents)s."), values, true);
}

/** @param {string} match */
function remove(match) {
  const offered = offers.get(match);
  if (offered) {
    clearInterval(offered.timer);
    offered.toast.remove();
    offers.delete(match);
  }
}
