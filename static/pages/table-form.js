/** The form that sets a table: its rules, and what goes together of its terms. */

import "./page.js";
import { byId, find, findAll } from "../parts/elements.js";
import { guardForms } from "../forms/forms.js";
import { bindCustomClock } from "../forms/custom-clock.js";
import { bindPresetRules } from "../forms/preset-rules.js";
import { bindSummary } from "../forms/summed-up.js";

const form = byId("table-form", HTMLFormElement);
const range = /** @type {HTMLFieldSetElement|null} */ (document.getElementById("range"));
const rules = bindPresetRules(form);

/** The value for lots of the field that says who begins. */
const LOT = "lot";

/** Only some rules can be rated, and only rated matches ask for ratings. */
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

/** Nobody chooses who begins a rated match, and it has rules of its own unless others are chosen. */
function settleRated() {
  const yes = find(form, "[name=rated][value=yes]", HTMLInputElement);
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
