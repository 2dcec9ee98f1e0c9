/** Pages that do no more than every page. */

import "./page.js";
