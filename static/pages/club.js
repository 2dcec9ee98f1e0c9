/** The page of a club, with its chat. */

import "./page.js";
import { bindChat } from "../chat/chat.js";
import { guardForms } from "../forms/forms.js";
import { openFeed } from "../net/socket.js";
import { findAll } from "../parts/elements.js";
import { showLocalTimes } from "../parts/local-times.js";
import { setting } from "../parts/settings.js";
import { bindCopy } from "../parts/share.js";

guardForms();
for (const invitation of findAll(document, ".invitation")) {
  // The button says it, too.
  bindCopy(invitation, () => {});
}
showLocalTimes(document);
const talk = document.getElementById("chat");
// Sites and users may switch the chat off.
if (talk && setting("chat") !== "nobody") {
  openChat(talk);
}

/** @param {HTMLElement} root */
function openChat(root) {
  const talk = bindChat(root, document.body.dataset.me ?? "", () => feed);
  const feed = openFeed({
    name: "club",
    outbox: talk.outbox,
    /** @param {FromClub.Message} message */
    onMessage(message) {
      if (message.type !== "pong") {
        talk.onOther(message);
      }
    },
    onStatus(status) {
      // Who is no member any more sees no chat.
      root.hidden = status === "gone" || status === "players-only";
    },
  });
}
