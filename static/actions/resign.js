/** Resigning takes two presses. */

import { find } from "../parts/elements.js";

/* global gettext */

/** How long the second press is waited for. */
const SURE_FOR = 5_000;

/**
 * @param {HTMLElement} button
 * @param {{onResign: () => void, say: (sentence: string) => void}} way
 * @returns `press` does what a press on the button does; `asked` says whether the next one counts
 */
export function bindResign(button, { onResign, say }) {
  let timer = 0;
  let asked = false;
  const label = find(button, "[data-label]");
  /** @param {boolean} sure */
  const set = (sure) => {
    asked = sure;
    clearTimeout(timer);
    button.setAttribute("aria-pressed", String(sure));
    label.textContent = sure ? gettext("Really resign?") : gettext("Resign");
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
  button.addEventListener("click", press);
  button.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && asked) {
      set(false);
    }
  });
  button.addEventListener("blur", () => set(false));
  return { press, asked: () => asked };
}
