/** The page of the form that begins a match against the computer. */

import { byId } from "../parts/elements.js";
import { guardForms } from "../parts/forms.js";
import { bindPresetRules } from "../parts/preset-rules.js";

guardForms();
bindPresetRules(byId("computer-form", HTMLFormElement));
