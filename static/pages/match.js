/** The match page: the board, and what is said beside it. */

import "./page.js";
import { openMatchChat } from "../chat/match-chat.js";
import "../match-page/match.js";
import { setting } from "../parts/settings.js";

const talk = document.getElementById("talk");
// Those who play at one board sit side by side; not every site has a chat, and not everybody wants one.
if (talk && setting("chat") !== "nobody") {
  openMatchChat(talk);
}
