/** The match page of the host of a simul, with the other boards. */

import "./page.js";
import { bindSimul } from "../lobby/simul.js";
import "../match-page/page.js";
import { byId } from "../parts/elements.js";

bindSimul(byId("simul"));
