/** The form for a new tournament: the form of a table, and what depends on the format. */

import "./page.js";
import "../forms/table-form.js";
import { byId, find, findAll } from "../parts/elements.js";

const form = byId("table-form", HTMLFormElement);
const zone = find(form, "[name=zone]", HTMLInputElement);
const starts = find(form, "[name=starts]", HTMLInputElement);
if (zone.value === "UTC" && starts.value) {
  // The server does not know our zone.
  const at = new Date(`${starts.value}Z`);
  starts.value = new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";

/** Show the fields of the chosen format only. */
function settleFormat() {
  const chosen = findAll(form, "[name=format]", HTMLInputElement).find((radio) => radio.checked)?.value ?? "";
  for (const part of findAll(form, "[data-formats]")) {
    part.hidden = !part.dataset.formats?.split(" ").includes(chosen);
  }
  const range = /** @type {HTMLFieldSetElement|null} */ (document.getElementById("range"));
  if (range && chosen === "simul") {
    // Its matches are casual, and it may be for some ratings all the same.
    range.hidden = range.disabled = false;
  }
}

settleFormat();
form.addEventListener("change", settleFormat);
