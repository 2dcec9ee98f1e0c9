/** Sheets: dialogs that an address may name, so that they can be linked to. */

import { findAll } from "./elements.js";

/** @param {HTMLElement} page holds the dialogs */
export function bindSheets(page) {
  const sheets = findAll(page, "dialog.sheet", HTMLDialogElement);
  const open = () => {
    const named = sheets.find(({ id }) => `#${id}` === location.hash);
    if (named && !named.open) {
      named.showModal();
    }
  };
  for (const sheet of sheets) {
    sheet.addEventListener("close", () => {
      findAll(sheet, "details", HTMLDetailsElement).forEach((choices) => choices.removeAttribute("open"));
      if (location.hash === `#${sheet.id}`) {
        history.replaceState(null, "", location.pathname + location.search);
      }
    });
  }
  addEventListener("hashchange", open);
  open();
}
