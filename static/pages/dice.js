/** The page that checks the dice of a match. */

import "./page.js";
import "../dice/page.js";
