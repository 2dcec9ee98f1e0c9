/** The forms of the account pages: sent once. */

import { guardForms } from "../forms/forms.js";

guardForms();
