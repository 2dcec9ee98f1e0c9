/** The form for a new table. */

import "./page.js";
import "../forms/table-form.js";
import { lastingStorageOrNull } from "../net/storage.js";
import { bindIntroductions } from "../parts/introduced.js";

bindIntroductions(document, lastingStorageOrNull());
