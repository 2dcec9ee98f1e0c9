/** The match page: the board, and what is said beside it. */

import "./page.js";
import { openMatchChat } from "../chat/match-chat.js";
import "../match-page/match.js";

const talk = document.getElementById("talk");
// Those who play at one board sit side by side.
if (talk) {
  openMatchChat(talk);
}
