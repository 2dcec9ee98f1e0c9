/** The matches in which it is my turn. The header of every page counts those on other pages. */

/* global interpolate, ngettext */

import { byId, find } from "../parts/elements.js";
import { onPersonal } from "../net/me.js";

/** @type {Set<string>|null} null until received */
let waiting = null;
/** @type {Set<(waiting: Set<string>) => void>} */
const listeners = new Set();

/**
 * @param {(waiting: Set<string>) => void} listener called with the ids of the matches whenever they change
 */
export function onWaiting(listener) {
  listeners.add(listener);
  if (waiting) {
    listener(waiting);
  }
}

/** The number of waiting matches, in words. @param {number} count */
function waitingInWords(count) {
  return interpolate(ngettext("Your turn in %s game", "Your turn in %s games", count), [count]);
}

/** Keep the header's badge up to date. */
export function bindWaiting() {
  onPersonal("hello", (message) => changed(new Set(message.waiting)));
  onPersonal("turn", ({ match, mine }) => {
    const now = new Set(waiting);
    changed(mine ? now.add(match) : (now.delete(match), now));
  });
}

/** @param {Set<string>} now */
function changed(now) {
  waiting = now;
  const link = byId("waiting");
  const others = [...now].filter((match) => match !== document.getElementById("match")?.dataset.match).length;
  link.hidden = others === 0;
  find(link, ".number").textContent = String(others);
  link.setAttribute("aria-label", waitingInWords(others));
  link.title = waitingInWords(others);
  // On the icon of the installed app, where the platform has that; 0 removes it.
  navigator.setAppBadge?.(now.size).catch(() => {});
  listeners.forEach((listener) => listener(now));
}
