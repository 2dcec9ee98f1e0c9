/** The line below the board: why a command was refused, the state of an unsent command, rematch offers. */

import { declined } from "../match/offers.js";
import { rematchLook } from "../match/rematch.js";
import { follow, isKnown } from "../match/store.js";
import { say } from "../parts/narration.js";

/* global gettext */

/**
 * @param {HTMLElement} notice a polite live region
 * @param {() => string} idle the text while nothing was refused
 */
export function createNotice(notice, idle) {
  return {
    rest() {
      const words = idle();
      notice.dataset.tone = "";
      if (notice.textContent !== words) {
        notice.textContent = words;
      }
    },
    /** Show a message that no command asked for. @param {string} sentence */
    tell(sentence) {
      notice.textContent = sentence;
      notice.dataset.tone = "";
    },
    /** @param {string} sentence */
    refuse(sentence) {
      say(notice, sentence);
      notice.dataset.tone = "refused";
    },
  };
}

/**
 * The state of an unsent command, else of a rematch.
 * @param {import("./connection.js").Connection} connection
 */
export function idleWords({ store, open }) {
  const now = store.get();
  if (!open() && now.pending.length > 0) {
    return gettext("Your move will be sent when you are back online.");
  }
  return isKnown(now) ? rematchLook(now).note : "";
}

/**
 * @param {ReturnType<typeof createNotice>} notice
 * @param {import("./connection.js").Connection} connection
 * @returns {() => void} unbind
 */
export function bindNotice(notice, { store, now: time }) {
  return follow(store, (now, before, message) => {
    const changed = /** @type {const} */ (["pending", "offered", "rematch", "cursor"]).some((part) => now[part] !== before[part]);
    if (now.refusal !== null && now.refusal !== before.refusal) {
      notice.refuse(now.refusal.detail);
    } else if (changed || now.live.ply > before.live.ply) {
      notice.rest();
    } else if (message.type === "offers" && declined(before, now, time())) {
      notice.tell(gettext("Your offer was declined."));
    }
  });
}
