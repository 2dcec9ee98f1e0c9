/** The standings of a tournament in a frame of another site. */

import { followTournament } from "../lobby/tournament-live.js";

followTournament();
