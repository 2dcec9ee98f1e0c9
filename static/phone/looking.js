/** Tells the server which page is in sight, so that nobody is sent a notice of what they look at. */

import { askPersonal, whenOpen } from "../net/me.js";

export function bindLooking() {
  const tell = () => askPersonal({ type: "looking", at: document.hidden ? null : location.pathname });
  whenOpen(tell);
  document.addEventListener("visibilitychange", tell);
}
