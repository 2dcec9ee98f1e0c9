/** The form for the matches of a table or a tournament: its rules, and terms that depend on each other. */

import { byId, findAll } from "../parts/elements.js";
import { guardForms } from "./forms.js";
import { bindCustomClock } from "./custom-clock.js";
import { bindPresetRules } from "./preset-rules.js";
import { bindSummary } from "./summed-up.js";

const form = byId("table-form", HTMLFormElement);
const range = /** @type {HTMLFieldSetElement|null} */ (document.getElementById("range"));
const rules = bindPresetRules(form);

/** The value for drawing lots, in the field for who moves first. */
const LOT = "lot";

/** Only some rules can be rated, and only rated matches restrict ratings. */
function settleTerms() {
  const casual = document.getElementById("own-rules-casual");
  if (!casual) {
    return;
  }
  const [no, yes] = findAll(form, "[name=rated]", HTMLInputElement);
  const own = rules.isOwn();
  casual.hidden = !own;
  yes.disabled = own;
  no.checked ||= own;
  if (range) {
    range.hidden = range.disabled = !yes.checked;
  }
}

/** In rated matches the first player is drawn by lot, and the rules default to the rated preset. */
function settleRated() {
  const yes = findAll(form, "[name=rated][value=yes]", HTMLInputElement).at(0);
  if (!yes) {
    return false;
  }
  const firsts = findAll(form, "[name=first]", HTMLInputElement);
  firsts.forEach((radio) => {
    radio.disabled = yes.checked && radio.value !== LOT;
    radio.checked = yes.checked ? radio.value === LOT : radio.checked;
  });
  return yes.checked;
}

guardForms();
settleTerms();
settleRated();
form.addEventListener("change", ({ target }) => {
  settleTerms();
  const rated = settleRated();
  const [usual] = findAll(form, "[name=preset]", HTMLInputElement).map(({ value }) => value);
  if (form.dataset.ratedPreset && target instanceof Element && target.getAttribute("name") === "rated") {
    rules.suggest(rated ? form.dataset.ratedPreset : usual);
  }
});
bindCustomClock(form);
bindSummary(form);
