/** The page of a lesson, for teachers: it stays up to date. */

import "./page.js";
import { guardForms } from "../forms/forms.js";
import { follow } from "../lobby/tournament-live.js";
import { byId } from "../parts/elements.js";

/** How often the page asks whether anything has changed, in milliseconds. */
const ASK = 4_000;

const page = byId("lesson");
guardForms();
follow(page, page.dataset.asks ?? "", ASK);
