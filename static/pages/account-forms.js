/** The forms of the account pages: sent once. */

import "./page.js";
import { guardForms } from "../forms/forms.js";

guardForms();
