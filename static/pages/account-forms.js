/** The account forms are sent once. A secret that is shown once can be copied. */

import "./page.js";
import { guardForms } from "../forms/forms.js";
import { bindSecrets } from "../parts/share.js";

guardForms();
bindSecrets();
