/** The match page. */

import "./page.js";
import "../match-page/page.js";
