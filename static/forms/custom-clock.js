/** The fields of a custom clock are there while the list of clocks says "Custom clock". */

import { find } from "../parts/elements.js";

const CUSTOM = "custom";

/** @param {HTMLFormElement} form templates/forms/_clock.html stands in it */
export function bindCustomClock(form) {
  const clock = find(form, "[name=clock]", HTMLSelectElement);
  const fields = find(form, "#custom-clock", HTMLFieldSetElement);
  const settle = () => {
    // Disabled as well: what cannot be seen must not keep the form from being sent.
    fields.hidden = fields.disabled = clock.value !== CUSTOM;
  };
  settle();
  clock.addEventListener("change", settle);
}
