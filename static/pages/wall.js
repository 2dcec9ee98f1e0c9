/** The board for a wall: the live part only, on a screen that stays on. */

import { followTournament } from "../lobby/tournament-live.js";
import { bindBoards } from "../lobby/wall-boards.js";
import { createWakefulness } from "../parts/awake.js";

followTournament();
createWakefulness()(true);
bindBoards();
