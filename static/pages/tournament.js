/** The page of one tournament. */

import "./page.js";
import { guardForms } from "../forms/forms.js";
import { followTournament } from "../lobby/tournament-live.js";

guardForms();
followTournament();
