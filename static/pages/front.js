/** The front page. */

import "./page.js";
import "../lobby/lobby.js";
