/** Actions that end a match for a player take two presses. */

import { find } from "../parts/elements.js";

/** How long the second press is accepted. */
const SURE_FOR = 5_000;

/**
 * @param {HTMLElement[]} buttons with the same action; `data-sure` is their label between the presses
 * @param {{onSure: () => void, say: (sentence: string) => void, again: string}} way `again` is said between them
 * @returns `press` does what a press on a button does; `asked` says whether the next one counts; `reset` makes the next
 *   one the first again
 */
export function bindTwoPresses(buttons, { onSure, say, again }) {
  const calm = new Map(buttons.map((button) => [button, find(button, "[data-label]").textContent]));
  let timer = 0;
  let asked = false;
  /** @param {boolean} sure */
  const set = (sure) => {
    asked = sure;
    clearTimeout(timer);
    for (const button of buttons) {
      button.setAttribute("aria-pressed", String(sure));
      find(button, "[data-label]").textContent = (sure ? button.dataset.sure : calm.get(button)) ?? "";
    }
  };
  const press = () => {
    if (asked) {
      set(false);
      onSure();
      return;
    }
    set(true);
    say(again);
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
        // Cancel only the question; a dialog around it stays open.
        event.preventDefault();
        set(false);
      }
    });
    button.addEventListener("blur", () => set(false));
  }
  return { press, asked: () => asked, reset: () => set(false) };
}
