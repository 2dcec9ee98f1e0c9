/** Pages without a script of their own. */

import "./page.js";
