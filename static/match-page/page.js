/** What every match page does: the match, and the chat once its board is shown. */

import { boardShown } from "./match.js";
import { onPersonal } from "../net/me.js";
import { moduleAt } from "../net/module.js";
import { openFeed } from "../net/socket.js";
import { setting } from "../parts/settings.js";

const talk = document.getElementById("talk");
// Hot-seat players sit side by side; sites and users may switch the chat off.
if (talk && setting("chat") !== "nobody") {
  await boardShown;
  /** @type {typeof import("../chat/match-chat.js")} */
  const chat = await moduleAt(import.meta.resolve("../chat/match-chat.js"));
  chat.openMatchChat(talk, { openFeed, onPersonal });
}
