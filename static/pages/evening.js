/** The page of an evening, for hosts and guests: it stays up to date, and the next match opens by itself. */

import "./page.js";
import { guardForms } from "../forms/forms.js";
import { follow } from "../lobby/tournament-live.js";
import { onPersonal } from "../net/me.js";
import { byId } from "../parts/elements.js";

/** How often the page asks whether anything has changed, in milliseconds. */
const ASK = 4_000;

/**
 * Matches that the player has seen: those that the page came with, and those that it has opened. A later look at the
 * page tells of matches that are still to be opened.
 */
const seen = new Set((byId("live").dataset.matches ?? "").split(" "));

/** Open a match, but not one from which the player has come back. @param {FromPersonal.NextMatchFields} next */
function open({ match }) {
  if (!seen.has(match)) {
    seen.add(match);
    location.assign(`/m/${match}`);
  }
}

/** The host has deleted the evening: its guests, who are deleted as well, are told so. */
function sayGone() {
  const words = document.getElementById("gone");
  if (words) {
    words.hidden = false;
    byId("live").hidden = true;
  }
}

const page = byId("evening");
guardForms();
if (page.dataset.asks) {
  follow(page, page.dataset.asks, ASK, sayGone);
}
onPersonal("hello", ({ next }) => next.forEach(open));
onPersonal("next-match", ({ next }) => open(next));
