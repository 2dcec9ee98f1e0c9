/** The match page: the board, and what is said beside it. */

import "./page.js";
import "../chat/match-chat.js";
import "../match-page/match.js";
