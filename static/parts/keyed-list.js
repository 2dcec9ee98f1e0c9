import { findAll, made } from "./elements.js";

/**
 * Keeps the rows of a list in step with data. Rows are kept by id, so that focus, an open disclosure and a press under
 * way survive changes around them.
 *
 * @template {{id: string}} Item
 * @param {HTMLElement} list its rows, including server-rendered ones, have data-id
 * @param {HTMLTemplateElement} template one row
 * @param {(row: HTMLElement, item: Item) => void} fill
 * @returns {(items: Item[]) => void} shows the items, in this order
 */
export function keyedList(list, template, fill) {
  const rows = new Map(findAll(list, ":scope > [data-id]").map((row) => [row.dataset.id ?? "", row]));
  return function show(items) {
    const wanted = new Set(items.map((item) => item.id));
    for (const [id, row] of rows) {
      if (!wanted.has(id)) {
        keepFocus(list, row);
        row.remove();
        rows.delete(id);
      }
    }
    items.forEach((item, place) => {
      const row = rows.get(item.id) ?? create(item.id);
      rows.set(item.id, row);
      fill(row, item);
      if (list.children[place] !== row) {
        list.insertBefore(row, list.children[place] ?? null);
      }
    });
  };

  /** @param {string} id */
  function create(id) {
    const row = made(template);
    row.dataset.id = id;
    row.classList.add("list-row-new");
    return row;
  }
}

/**
 * If the focused row is removed, keep the focus in the list instead of losing it to the page.
 *
 * @param {HTMLElement} list
 * @param {HTMLElement} row
 */
function keepFocus(list, row) {
  if (row.contains(document.activeElement)) {
    const neighbour = row.nextElementSibling ?? row.previousElementSibling;
    const heading = list.closest("section")?.querySelector("h2");
    /** @type {HTMLElement|null|undefined} */
    const target = neighbour?.querySelector("a, button") ?? heading;
    target?.focus();
  }
}
