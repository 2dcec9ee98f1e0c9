/** Shows the fields of a custom clock while the list of clocks says "Custom clock". */

import { find } from "../parts/elements.js";

const CUSTOM = "custom";

/** @param {HTMLFormElement} form contains templates/forms/_clock.html */
export function bindCustomClock(form) {
  const clock = find(form, "[name=clock]", HTMLSelectElement);
  const fields = find(form, "#custom-clock", HTMLFieldSetElement);
  const settle = () => {
    // Disabled too: hidden fields must not block the form.
    fields.hidden = fields.disabled = clock.value !== CUSTOM;
  };
  settle();
  clock.addEventListener("change", settle);
}
