/** The text box bound to the match: lines are moves or commands. It is visible while it has the focus. */

import { bindCommandBox, bindTextKey } from "../actions/commandbox.js";
import { follow, known, onInterruption } from "../match/store.js";
import { moduleAt } from "../net/module.js";
import { find } from "../parts/elements.js";
import { say } from "../parts/narration.js";

/**
 * @param {{form: HTMLFormElement, answer: HTMLElement, open: HTMLElement}} parts `open` is the menu item
 * @param {import("./connection.js").Connection} connection
 * @param {import("./look.js").Look} look
 * @param {object} way
 * @param {(move: string) => void} way.play
 * @param {{press: () => void, asked: () => boolean}} way.resign
 * @param {{ask: () => string}} way.hint
 * @returns {(key: string) => boolean} whether the key was handled; Escape returns
 */
export function bindTyping({ form, answer, open }, { store, now, decide }, look, { play, resign, hint }) {
  /** @type {Promise<typeof import("../actions/commands.js")>|null} loaded once */
  let commands = null;
  async function reader() {
    commands ??= moduleAt(import.meta.resolve("../actions/commands.js"));
    const { createReader } = await commands;
    return createReader(() => known(store.get()), look.module, { view: look.view, play, hint: hint.ask, resign, now, send: decide });
  }
  bindCommandBox(form, { reader, onAnswer: (words) => say(answer, words) });
  follow(store, (here, before) => {
    // An answer about the position before my move is no longer true.
    if (here.plies.slice(before.live.ply, here.live.ply).some((ply) => ply?.seat === here.you)) {
      answer.textContent = "";
    }
  });
  const input = find(form, "input", HTMLInputElement);
  onInterruption(store, () => {
    input.value = "";
  });
  open.addEventListener("click", () => {
    open.closest("dialog")?.close();
    input.focus();
  });
  return bindTextKey(input);
}
