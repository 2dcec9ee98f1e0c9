/** The page of a class, for its pupils: it stays up to date, and the next match opens by itself. */

import "./page.js";
import { guardForms } from "../forms/forms.js";
import { openNextMatches } from "../lobby/opening.js";
import { follow } from "../lobby/tournament-live.js";
import { byId } from "../parts/elements.js";

/** How often the page asks whether anything has changed, in milliseconds. */
const ASK = 8_000;

const page = byId("class");
guardForms();
follow(page, page.dataset.asks ?? "", ASK);
openNextMatches(byId("mine").dataset.matches ?? "");
