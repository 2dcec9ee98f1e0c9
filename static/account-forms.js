/** The forms of the account pages: sent once. */

import { guardForms } from "./forms.js";

guardForms();
