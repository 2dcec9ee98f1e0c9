/** The form that begins a match against the computer; in its dialog the form of another game takes its place. */

import { bindPresetRules } from "../parts/preset-rules.js";

const ID = "computer-form";

/** @param {ParentNode} root holds the form */
export function bindComputerForm(root) {
  bindPresetRules(root.querySelector(`#${ID}`));
}

/** @param {HTMLDialogElement} dialog templates/tables/_computer_dialog.html */
export function bindComputerDialog(dialog) {
  bindComputerForm(dialog);
  dialog.addEventListener("click", (event) => {
    const link = event.target.closest("nav a");
    if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      change(dialog, link.href);
    }
  });
}

/** Bring the form of another game, or go to its page where that fails. */
async function change(dialog, address) {
  try {
    const answer = await fetch(address);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    dialog.querySelector(`#${ID}`).replaceWith(page.getElementById(ID));
  } catch {
    location.assign(address);
    return;
  }
  bindComputerForm(dialog);
  dialog.querySelector("nav [aria-current]").focus();
}
