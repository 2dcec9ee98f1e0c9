/** The list of online users, refetched. */

import { freshPage } from "../net/refresh.js";

/**
 * Replace the shown list, unless it is the same or the user is about to press something in it.
 *
 * @param {() => Promise<Document|null>} [ask] fetches the current page
 */
export async function renew(ask = freshPage) {
  const fresh = (await ask())?.getElementById("online");
  const shown = document.getElementById("online");
  const used = shown?.contains(document.activeElement) || shown?.matches(":hover");
  if (fresh && shown && !used && fresh.innerHTML !== shown.innerHTML) {
    shown.replaceWith(fresh);
  }
}
