/** The match page: the board, and what is said beside it. */

import "./page.js";
import { boardShown } from "../match-page/match.js";
import { onPersonal } from "../net/me.js";
import { moduleAt } from "../net/module.js";
import { openSocket } from "../net/socket.js";
import { setting } from "../parts/settings.js";

const talk = document.getElementById("talk");
// Those who play at one board sit side by side; not every site has a chat, and not everybody wants one.
if (talk && setting("chat") !== "nobody") {
  await boardShown;
  /** @type {typeof import("../chat/match-chat.js")} */
  const chat = await moduleAt(import.meta.resolve("../chat/match-chat.js"));
  chat.openMatchChat(talk, { openSocket, onPersonal });
}
