/** The conversations with new messages, counted in the header of every page. */

import { byId, find } from "../parts/elements.js";
import { onPersonal } from "../net/me.js";

/** Keep the header's badge up to date. */
export function bindUnread() {
  onPersonal("hello", show);
  onPersonal("message", show);
  onPersonal("unread", show);
}

/** @param {{unread: number}} message */
function show({ unread }) {
  const link = byId("unread");
  link.hidden = !unread;
  find(link, ".number").textContent = String(unread);
}
