/** The form that begins a match against the computer; in its dialog the form of another game takes its place. */

import { around, find } from "../parts/elements.js";
import { bindPresetRules } from "../parts/preset-rules.js";
import { bindSummary } from "../parts/summed-up.js";

const ID = "computer-form";

/** @param {ParentNode} root holds the form */
export function bindComputerForm(root) {
  const form = find(root, `#${ID}`, HTMLFormElement);
  bindPresetRules(form);
  bindSummary(form);
}

/** @param {HTMLDialogElement} dialog templates/tables/_computer_dialog.html */
export function bindComputerDialog(dialog) {
  bindComputerForm(dialog);
  dialog.addEventListener("click", (event) => {
    const link = around(event, "nav a");
    if (link instanceof HTMLAnchorElement && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      change(dialog, link.href);
    }
  });
}

/**
 * Bring the form of another game, or go to its page where that fails.
 *
 * @param {HTMLDialogElement} dialog
 * @param {string} address
 */
async function change(dialog, address) {
  try {
    const answer = await fetch(address);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    find(dialog, `#${ID}`).replaceWith(find(page, `#${ID}`));
  } catch {
    location.assign(address);
    return;
  }
  bindComputerForm(dialog);
  find(dialog, "nav [aria-current]").focus();
}
