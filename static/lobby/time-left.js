/** The time left in each of my matches that wait for me, in the rows of the front page. */

import { face } from "../match/clock.js";
import { onPersonal } from "../net/me.js";
import { findAll, part } from "../parts/elements.js";

const EVERY_MS = 1_000;

/** By match, when the time is up, on the clock of this computer. @type {Map<string, number>} */
const due = new Map();

/** @param {string} match @param {number|null|undefined} left milliseconds; without a clock null */
function note(match, left) {
  if (left === null || left === undefined) {
    due.delete(match);
  } else {
    due.set(match, Date.now() + left);
  }
}

onPersonal("hello", ({ left }) => {
  due.clear();
  Object.entries(left).forEach(([match, ms]) => note(match, ms));
});
onPersonal("turn", ({ match, left }) => note(match, left));

/** Keep the rows of a list up to date. @param {HTMLElement} list */
export function bindTimeLeft(list) {
  show();
  onPersonal("hello", show);
  onPersonal("turn", show);
  setInterval(show, EVERY_MS);

  function show() {
    for (const row of findAll(list, ":scope > [data-id]")) {
      const until = due.get(row.dataset.id ?? "");
      const time = until === undefined ? "" : face(Math.max(0, until - Date.now()), true);
      const words = time && (list.dataset.left ?? "").replace("{time}", time);
      const left = part(row, "left");
      if (left.textContent !== words) {
        left.textContent = words;
      }
    }
  }
}
