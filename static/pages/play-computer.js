/** The page of the form that begins a match against the computer. */

import { bindComputerForm } from "../lobby/computer-form.js";
import { guardForms } from "../parts/forms.js";

guardForms();
bindComputerForm(document);
