/** The page of people: how those are whom I follow, as it changes. */

import { guardForms } from "../parts/forms.js";
import { askPersonal, onPersonal, whenOpen } from "../net/me.js";

function show({ name, online, match, words }) {
  for (const row of document.querySelectorAll(`[data-person="${CSS.escape(name)}"]`)) {
    const part = (named) => row.querySelector(`[data-part="${named}"]`);
    part("presence").toggleAttribute("data-here", online);
    part("words").textContent = words;
    part("watch").hidden = match === null;
    part("watch").href = match === null ? "" : `/m/${match}`;
  }
}

whenOpen(() => askPersonal({ type: "people" }));
onPersonal("people", ({ people }) => people.forEach(show));
guardForms();
