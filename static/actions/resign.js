/** Resigning takes two presses. */

import { find } from "../parts/elements.js";

/* global gettext */

/** How long the second press is waited for. */
const SURE_FOR = 5_000;

/**
 * @param {HTMLElement[]} buttons all of which do the same
 * @param {{onResign: () => void, say: (sentence: string) => void}} way
 * @returns `press` does what a press on a button does; `asked` says whether the next one counts
 */
export function bindResign(buttons, { onResign, say }) {
  let timer = 0;
  let asked = false;
  /** @param {boolean} sure */
  const set = (sure) => {
    asked = sure;
    clearTimeout(timer);
    for (const button of buttons) {
      button.setAttribute("aria-pressed", String(sure));
      find(button, "[data-label]").textContent = sure ? gettext("Really resign?") : gettext("Resign");
    }
  };
  const press = () => {
    if (asked) {
      set(false);
      onResign();
      return;
    }
    set(true);
    say(gettext("Press again to resign."));
    timer = setTimeout(() => set(false), SURE_FOR);
  };
  for (const button of buttons) {
    button.addEventListener("click", () => {
      const sure = asked;
      press();
      if (sure) {
        button.closest("dialog")?.close();
      }
    });
    button.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && asked) {
        // Only the question is withdrawn; a dialog around it stays.
        event.preventDefault();
        set(false);
      }
    });
    button.addEventListener("blur", () => set(false));
  }
  return { press, asked: () => asked };
}
