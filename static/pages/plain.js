/** Pages without a script of their own. */

import "./page.js";
import { bindInstall } from "../phone/install.js";

bindInstall();
