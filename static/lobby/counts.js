/** The counters of the site, in words. */

import { findAll } from "../parts/elements.js";

/* global interpolate, ngettext */

/** @typedef {Exclude<keyof FromLobby.CountFields, "seeks">} Name of a counter */

/** @type {Record<Name, (n: number) => string>} */
const WORDS = {
  /** @param {number} n */
  online: (n) => ngettext("%(n)s person online", "%(n)s people online", n),
  /** @param {number} n */
  playing: (n) => ngettext("%(n)s match in play", "%(n)s matches in play", n),
  /** @param {number} n */
  waiting: (n) => ngettext("%(n)s waiting", "%(n)s waiting", n),
};

/** One counter as a sentence; `name` is a key of the server's `counts`. @param {Name} name @param {number} n */
export function countWords(name, n) {
  return interpolate(WORDS[name](n), { n }, true);
}

/**
 * Show the counters that are not zero.
 *
 * @param {HTMLElement} list
 * @param {FromLobby.CountFields} counts
 */
export function showCounts(list, counts) {
  for (const item of findAll(list, "[data-count]")) {
    const name = /** @type {Name} */ (item.dataset.count);
    const words = counts[name] ? countWords(name, counts[name]) : "";
    const told = item.querySelector("a") ?? item;
    item.hidden = words === "";
    if (told.textContent !== words) {
      told.textContent = words;
    }
  }
}
