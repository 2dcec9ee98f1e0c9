/** Spectators: their number, their names, and the switch by which a player hides both. */

import { watches } from "../match/may.js";
import { listed, say } from "../words/sentences.js";

/* global gettext, ngettext */

/**
 * @param {import("../match/store.js").Store} store
 * @returns {{count: number|null, words: string, hides: boolean}} `count` is null while hidden; `hides` is whether my
 *   own seat hides them, before the server's answer too
 */
export function watchersLook(store) {
  // The host of a hot-seat match hides them for seat 0.
  const seat = store.match?.shared && !watches(store) ? 0 : store.you;
  const asked = store.pending.filter(({ type }) => type === "hide-crowd").at(-1);
  return {
    count: store.hidden ? null : store.watchers,
    words: watchersInWords(store),
    hides: asked?.hidden ?? (seat !== null && store.hiddenBy.includes(seat)),
  };
}

/** @param {Pick<import("../match/store.js").Store, "hidden"|"watchers"|"names">} store */
function watchersInWords({ hidden, watchers, names }) {
  if (hidden) {
    return gettext("The players have hidden the spectators.");
  }
  if (watchers === 0) {
    return gettext("No spectators.");
  }
  if (names.length === 0) {
    return counted(ngettext("%(number)s spectator.", "%(number)s spectators.", watchers), watchers);
  }
  const visitors = watchers - names.length;
  const people =
    visitors > 0
      ? [...names, counted(ngettext("%(number)s guest", "%(number)s guests", visitors), visitors)]
      : names;
  return say(gettext("Watching: %(names)s"), { names: listed(people) });
}

/** @param {string} sentence @param {number} number */
const counted = (sentence, number) => say(sentence, { number });

/**
 * @param {{number: HTMLElement, list: HTMLElement, toggle: HTMLInputElement|null}} parts `number` is a badge; only
 *   players have a switch
 * @param {(hidden: boolean) => void} onHide
 * @returns {(store: import("../match/store.js").Store) => void} called when the store changes
 */
export function bindWatchers({ number, list, toggle }, onHide) {
  const badge = /** @type {HTMLElement} */ (number.closest(".badge"));
  toggle?.addEventListener("change", () => onHide(toggle.checked));
  return (store) => {
    const { count, words, hides } = watchersLook(store);
    badge.hidden = count === null;
    number.textContent = String(count ?? "");
    if (list.textContent !== words) {
      list.textContent = words;
    }
    if (toggle) {
      toggle.checked = hides;
    }
  };
}
