/** The page of one tournament. */

import "./page.js";
import { guardForms } from "../forms/forms.js";
import { followTournament } from "../lobby/tournament-live.js";
import { byId } from "../parts/elements.js";
import { bindCopy, bindShare } from "../parts/share.js";

/** @param {string} words */
function say(words) {
  byId("share-said").textContent = words;
}

guardForms();
if (document.getElementById("share")) {
  bindShare(byId("share"), say);
  bindCopy(byId("embed-code"), say);
}
followTournament();
