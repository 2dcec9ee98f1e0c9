/**
 * Keeps the rows of a list in the document in step with data. Rows are kept by id, so that focus, an
 * open disclosure and a press under way survive changes around them.
 *
 * @param {HTMLElement} list its rows, also those the server made, have data-id
 * @param {HTMLTemplateElement} template one row
 * @param {(row: HTMLElement, item: {id: string}) => void} fill
 * @returns {(items: Array<{id: string}>) => void} shows the items, in this order
 */
export function keyedList(list, template, fill) {
  const rows = new Map([...list.children].map((row) => [row.dataset.id, row]));
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
      const row = rows.get(item.id) ?? made(item.id);
      rows.set(item.id, row);
      fill(row, item);
      if (list.children[place] !== row) {
        list.insertBefore(row, list.children[place] ?? null);
      }
    });
  };

  function made(id) {
    const row = /** @type {HTMLElement} */ (template.content.firstElementChild.cloneNode(true));
    row.dataset.id = id;
    row.classList.add("list-row-new");
    return row;
  }
}

/** Somebody whose row goes away stays in the list instead of being thrown to the top of the page. */
function keepFocus(list, row) {
  if (row.contains(document.activeElement)) {
    const neighbour = row.nextElementSibling ?? row.previousElementSibling;
    const target = neighbour?.querySelector("a, button") ?? list.closest("section")?.querySelector("h2");
    target?.focus();
  }
}
