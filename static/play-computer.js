/** The page of the form that begins a match against the computer. */

import { bindComputerForm } from "./computer-form.js";
import { guardForms } from "./forms.js";

guardForms();
bindComputerForm(document);
