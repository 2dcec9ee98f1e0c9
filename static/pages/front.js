/** The front page. */

import "./page.js";
import "../lobby/lobby.js";
import { lastingStorageOrNull } from "../dice/promise.js";
import { bindIntroductions } from "../parts/introduced.js";

bindIntroductions(document, lastingStorageOrNull());
