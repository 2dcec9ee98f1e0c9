/** The forms that start a match at once: against the computer, or hot-seat. */

import "./page.js";
import { lastingStorageOrNull } from "../net/storage.js";
import { find } from "../parts/elements.js";
import { bindCustomClock } from "../forms/custom-clock.js";
import { guardForms } from "../forms/forms.js";
import { bindPresetRules } from "../forms/preset-rules.js";
import { bindSeatNames } from "../forms/seat-names.js";
import { bindIntroductions } from "../parts/introduced.js";

const form = find(document, ".table-form", HTMLFormElement);

guardForms();
bindIntroductions(document, lastingStorageOrNull());
bindPresetRules(form);
bindSeatNames(form);
if (form.querySelector("[name=clock]")) {
  bindCustomClock(form);
}
