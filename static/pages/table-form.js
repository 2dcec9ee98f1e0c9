/** The form that sets a table: its rules, and what goes together of its terms. */

import "./page.js";
import { byId, findAll } from "../parts/elements.js";
import { guardForms } from "../forms/forms.js";
import { bindCustomClock } from "../forms/custom-clock.js";
import { bindPresetRules } from "../forms/preset-rules.js";
import { bindSummary } from "../forms/summed-up.js";

const form = byId("table-form", HTMLFormElement);
const range = /** @type {HTMLFieldSetElement|null} */ (document.getElementById("range"));
const rules = bindPresetRules(form);

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

guardForms();
settleTerms();
form.addEventListener("change", settleTerms);
bindCustomClock(form);
bindSummary(form);
