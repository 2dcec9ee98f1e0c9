/** The chat of a club, on a socket of its own. */

import { bindChat } from "./chat.js";
import { openSocket, socketUrl } from "../net/socket.js";

/** @param {HTMLElement} root */
export function openClubChat(root) {
  const talk = bindChat(root, document.body.dataset.me ?? "", () => socket);
  const socket = openSocket({
    url: socketUrl(root.dataset.socket ?? "", location),
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
