/** Tells the server which page is visible, so that it sends no notices about it. */

import { askPersonal, whenOpen } from "../net/me.js";

export function bindLooking() {
  const tell = () => askPersonal({ type: "looking", at: document.hidden ? null : location.pathname });
  whenOpen(tell);
  document.addEventListener("visibilitychange", tell);
}
