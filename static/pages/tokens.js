/** The page of API tokens: a new one, which is shown once, can be copied. */

import "./page.js";
import { bindSecrets } from "../parts/share.js";

bindSecrets();
document.getElementById("made-title")?.focus();
