/** The counters of the site, in words. */

/* global interpolate, ngettext */

const WORDS = {
  online: (n) => ngettext("%(n)s person online", "%(n)s people online", n),
  playing: (n) => ngettext("%(n)s match in play", "%(n)s matches in play", n),
  waiting: (n) => ngettext("%(n)s waiting", "%(n)s waiting", n),
};

/** One counter as a sentence; `name` is a key of the server's `counts`. */
export function countWords(name, n) {
  return interpolate(WORDS[name](n), { n }, true);
}

/**
 * @param {HTMLElement} list
 * @param {{online: number, playing: number, waiting: number}} counts
 */
export function showCounts(list, counts) {
  for (const item of list.querySelectorAll("[data-count]")) {
    const words = countWords(item.dataset.count, counts[item.dataset.count]);
    if (item.textContent !== words) {
      item.textContent = words;
    }
  }
}
