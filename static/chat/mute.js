/** A mute by a moderator on open pages: a notice with its reason and end stands where the user could write. */

import { find, findAll, part } from "../parts/elements.js";
import { onPersonal } from "../net/me.js";

/** The longest time of a timer, in milliseconds. A later end is noticed when the socket opens again. */
const LONGEST = 2 ** 31 - 1;

export function bindMute() {
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let end;

  /** @param {FromPersonal.MuteFields|null} muted */
  function show(muted) {
    clearTimeout(end);
    const notices = findAll(document, '[data-mute="notice"]');
    const forms = findAll(document, '[data-mute="writing"]');
    notices.forEach((notice, place) => {
      const focused = forms[place].contains(document.activeElement);
      notice.hidden = !muted;
      forms[place].hidden = Boolean(muted);
      if (muted) {
        part(notice, "words").textContent = muted.words;
        if (focused) {
          find(notice, "a").focus();
        }
      }
    });
    if (muted && muted.left <= LONGEST) {
      end = setTimeout(show, muted.left, null);
    }
  }

  onPersonal("hello", ({ muted }) => show(muted));
  onPersonal("muted", ({ muted }) => show(muted));
}
