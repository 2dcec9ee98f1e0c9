/** The page of an analysis. */

import "./page.js";
import "../finished/analysis.js";
