/** The page of an imported score. */

import "./page.js";
import "../finished/replay.js";
