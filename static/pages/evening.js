/** The page of an evening, for hosts and guests: it stays up to date, and the next match opens by itself. */

import "./page.js";
import { guardForms } from "../forms/forms.js";
import { openNextMatches } from "../lobby/opening.js";
import { follow } from "../lobby/tournament-live.js";
import { byId } from "../parts/elements.js";

/** How often the page asks whether anything has changed, in milliseconds. */
const ASK = 4_000;

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
openNextMatches(byId("live").dataset.matches ?? "");
