/** The page of the form that begins a match against the computer. */

import "./page.js";
import { byId } from "../parts/elements.js";
import { guardForms } from "../forms/forms.js";
import { bindPresetRules } from "../forms/preset-rules.js";

guardForms();
bindPresetRules(byId("computer-form", HTMLFormElement));
