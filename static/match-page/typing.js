/** The text box bound to the match: what is typed is played, or asked. It shows itself while it has the focus. */

import { bindCommandBox } from "../actions/commandbox.js";
import { known } from "../match/store.js";
import { moduleAt } from "../net/module.js";
import { find } from "../parts/elements.js";
import { say } from "../parts/narration.js";

const KEY = "/";

/**
 * @param {{form: HTMLFormElement, answer: HTMLElement, open: HTMLElement}} parts `open` leads to the box from the menu
 * @param {import("./connection.js").Connection} connection
 * @param {import("./look.js").Look} look
 * @param {object} way
 * @param {(move: string) => void} way.play
 * @param {{press: () => void, asked: () => boolean}} way.resign
 * @param {{ask: () => string}} way.hint
 * @returns {(key: string) => boolean} whether a key leads to the box, which it then did; Escape leads back
 */
export function bindTyping({ form, answer, open }, { store, now, decide }, look, { play, resign, hint }) {
  /** @type {Promise<typeof import("../actions/commands.js")>|null} asked for once */
  let commands = null;
  async function reader() {
    commands ??= moduleAt(import.meta.resolve("../actions/commands.js"));
    const { createReader } = await commands;
    return createReader(() => known(store.get()), look.module, { view: look.view, play, hint: hint.ask, resign, now, send: decide });
  }
  bindCommandBox(form, { reader, onAnswer: (words) => say(answer, words) });
  const input = find(form, "input");
  open.addEventListener("click", () => {
    open.closest("dialog")?.close();
    input.focus();
  });
  /** @type {Element|null} */
  let before = null;
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      input.blur();
      if (before instanceof HTMLElement) {
        before.focus();
      }
    }
  });
  return (key) => {
    if (key === KEY) {
      before = document.activeElement;
      input.focus();
    }
    return key === KEY;
  };
}
