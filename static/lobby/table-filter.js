/** Filters the tables by game. The links work without this; with it the page is not reloaded. */

/**
 * @param {HTMLElement} row of links with data-game, one of them current
 * @param {(game: string) => void} show "" for all games
 */
export function bindFilter(row, show) {
  const links = /** @type {HTMLAnchorElement[]} */ ([...row.querySelectorAll("[data-game]")]);
  const current = links.find((link) => link.hasAttribute("aria-current"));
  show(current?.dataset.game ?? "");
  row.addEventListener("click", (event) => {
    const chosen = links.find((link) => link.contains(/** @type {Node} */ (event.target)));
    if (!chosen || event.ctrlKey || event.metaKey || event.shiftKey) {
      return;
    }
    event.preventDefault();
    links.forEach((link) => link.removeAttribute("aria-current"));
    chosen.setAttribute("aria-current", "true");
    // The address keeps the filter for reloads and shared links.
    history.replaceState(null, "", chosen.href);
    show(chosen.dataset.game ?? "");
  });
}
