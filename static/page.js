/** What every page does: dialogs that open by a button, the settings, the theme. */

import { SETTINGS, applyTheme, change, onChange, setting } from "./settings.js";

/** `<button data-dialog="id">` opens the dialog with that id; `<button data-close>` closes the one it is in. */
function bindDialogs() {
  document.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("[data-dialog], [data-close]") : null;
    if (!button) {
      return;
    }
    if (button.dataset.dialog) {
      document.getElementById(button.dataset.dialog)?.showModal();
    } else {
      button.closest("dialog")?.close();
    }
  });
  for (const dialog of document.querySelectorAll("dialog")) {
    // A press on the backdrop arrives at the dialog itself, one inside at what it hit.
    dialog.addEventListener("pointerdown", (event) => {
      if (event.target === dialog) {
        dialog.close();
      }
    });
  }
}

function bindSettings() {
  for (const name of Object.keys(SETTINGS)) {
    for (const input of document.querySelectorAll(`input[type="radio"][name="setting-${name}"]`)) {
      input.checked = input.value === setting(name);
      input.addEventListener("change", () => change(name, input.value));
    }
  }
  onChange((name, value) => {
    if (name === "theme") {
      applyTheme(value);
    }
    const input = document.querySelector(`input[name="setting-${name}"][value="${value}"]`);
    if (input) {
      input.checked = true;
    }
  });
}

bindDialogs();
bindSettings();
