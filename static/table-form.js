/** The form that sets a table: a preset fills the single rules in, and rules that fit none are "own". */

import { guardForms } from "./forms.js";

const OWN = "own";
const form = document.getElementById("table-form");
const presets = JSON.parse(form.dataset.presets);
const selects = [...form.querySelectorAll("select[name^=rule_]")];
const details = document.getElementById("single-rules");
const range = /** @type {HTMLFieldSetElement|null} */ (document.getElementById("range"));

function chosenPreset() {
  return form.elements.preset.value;
}

function fillIn() {
  const rules = presets[chosenPreset()];
  if (rules) {
    selects.forEach((select) => {
      select.value = rules[select.name];
    });
  } else {
    details.open = true;
  }
}

/** The preset that has exactly the rules picked. */
function recognise() {
  const fits = ([, rules]) => selects.every((select) => rules[select.name] === select.value);
  form.elements.preset.value = Object.entries(presets).find(fits)?.[0] ?? OWN;
}

/** "As the rules above say" is for browsers that run no scripts: here the rule itself is shown. */
function dropOpenChoices() {
  const rules = presets[chosenPreset()] ?? Object.values(presets)[0];
  for (const select of selects) {
    select.value ||= rules[select.name];
    select.querySelector("option[value='']").remove();
  }
}

/** Only some rules can be rated, and only rated matches ask for ratings. */
function settleTerms() {
  const casual = document.getElementById("own-rules-casual");
  if (!casual) {
    return;
  }
  const [no, yes] = form.elements.rated;
  const own = chosenPreset() === OWN;
  casual.hidden = !own;
  yes.disabled = own;
  no.checked ||= own;
  if (range) {
    range.hidden = range.disabled = !yes.checked;
  }
}

guardForms();
dropOpenChoices();
recognise();
settleTerms();
form.addEventListener("change", ({ target }) => {
  if (target.name === "preset") {
    fillIn();
  } else if (selects.includes(target)) {
    recognise();
  }
  settleTerms();
});
