/** The list of people online, as the server has it now. */

import { freshPage } from "../net/refresh.js";

/**
 * Put the list in place of the one that is shown, unless it is the same or somebody is about to press in it.
 *
 * @param {() => Promise<Document|null>} [ask] for the page as the server makes it now
 */
export async function renew(ask = freshPage) {
  const fresh = (await ask())?.getElementById("online");
  const shown = document.getElementById("online");
  const used = shown?.contains(document.activeElement) || shown?.matches(":hover");
  if (fresh && shown && !used && fresh.innerHTML !== shown.innerHTML) {
    shown.replaceWith(fresh);
  }
}
