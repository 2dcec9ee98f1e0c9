/** The front page. */

import "./page.js";
import "../lobby/lobby.js";
import { lastingStorageOrNull } from "../net/storage.js";
import { bindIntroductions } from "../parts/introduced.js";
import { bindInstall } from "../phone/install.js";

bindIntroductions(document, lastingStorageOrNull());
bindInstall();
