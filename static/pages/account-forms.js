/** The forms of the account pages: sent once. */

import { guardForms } from "../parts/forms.js";

guardForms();
