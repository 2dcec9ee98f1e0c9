/** The list of tournaments. */

import "./page.js";
import { showLocalTimes } from "../parts/local-times.js";

showLocalTimes(document);
