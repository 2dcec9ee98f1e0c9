/** The next match of a tournament, offered on every page until the player opens it or its time is up. */

/* global gettext, interpolate */

import { byId, made, part } from "../parts/elements.js";
import { onPersonal } from "../net/me.js";
import { signal } from "../parts/signals.js";

const SECOND = 1000;

/** The offers by match. @type {Map<string, {toast: HTMLElement, timer: number}>} */
const offers = new Map();

/** Offer matches as they begin, for signed-in users. */
export function bindNextMatch() {
  const place = document.getElementById("challenges");
  if (!place) {
    return;
  }
  onPersonal("hello", ({ next }) => {
    const open = new Set(next.map(({ match }) => match));
    [...offers.keys()].filter((match) => !open.has(match)).forEach(remove);
    next.forEach((each) => offer(place, each));
  });
  onPersonal("next-match", ({ next }) => offer(place, next));
}

/** @param {HTMLElement} place @param {FromPersonal.NextMatchFields} next */
function offer(place, next) {
  // The server may tell of it twice, and the page of the match needs no offer.
  if (offers.has(next.match) || document.getElementById("match")?.dataset.match === next.match) {
    return;
  }
  const toast = made(byId("next-toast", HTMLTemplateElement));
  part(toast, "words").textContent = nextWords(next);
  part(toast, "go", HTMLAnchorElement).href = `/m/${next.match}`;
  const until = next.left === null ? null : Date.now() + next.left;
  const timer = setInterval(() => count(toast, next.match, until), SECOND);
  offers.set(next.match, { toast, timer });
  count(toast, next.match, until);
  place.append(toast);
  signal("knock");
}

/** Show the seconds left for the first move. @param {HTMLElement} toast @param {string} match @param {number|null} until */
function count(toast, match, until) {
  if (until === null) {
    return;
  }
  const left = Math.max(0, Math.ceil((until - Date.now()) / SECOND));
  part(toast, "left").textContent = interpolate(gettext("Make your first move within %(left)s s."), { left }, true);
  if (left === 0) {
    remove(match);
  }
}

/** The sentence of an offer. @param {FromPersonal.NextMatchFields} next */
export function nextWords({ name, round, opponents }) {
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
