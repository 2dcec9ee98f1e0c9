/** The page of followed users, updated live. */

import "./page.js";
import { findAll, part } from "../parts/elements.js";
import { guardForms } from "../forms/forms.js";
import { askPersonal, onPersonal, whenOpen } from "../net/me.js";

/** @param {FromPersonal.PersonFields} person */
function show({ name, online, match, words }) {
  for (const row of findAll(document, `[data-person="${CSS.escape(name)}"]`)) {
    const watch = part(row, "watch", HTMLAnchorElement);
    part(row, "presence").toggleAttribute("data-here", online);
    part(row, "words").textContent = words;
    watch.hidden = match === null;
    watch.href = match === null ? "" : `/m/${match}`;
  }
}

whenOpen(() => askPersonal({ type: "people" }));
onPersonal("people", ({ people }) => people.forEach(show));
guardForms();
