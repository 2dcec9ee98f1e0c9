/** The conversations with new messages, counted in the header of every page. */

/* global interpolate, ngettext */

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
  const words = interpolate(ngettext("New messages from %s person", "New messages from %s people", unread), [unread]);
  link.hidden = unread === 0;
  find(link, ".number").textContent = String(unread);
  link.setAttribute("aria-label", words);
  link.title = words;
}
