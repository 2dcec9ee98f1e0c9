/** The text box of a board without a match: it takes moves. */

import { moveTyped } from "../match/move-words.js";
import { byId } from "../parts/elements.js";
import { say } from "../parts/narration.js";
import { onChange, setting } from "../parts/settings.js";
import { bindCommandBox, bindTextKey } from "./commandbox.js";

/**
 * @param {HTMLElement} root gets `data-typing` while a setting keeps the text box open
 * @param {Boards.Module} module
 * @param {object} way
 * @param {() => {state: Boards.State, sight: Boards.Sight}} way.shown what is on the board
 * @param {(move: string) => void} way.onMove
 * @param {() => string|null} [way.refusal] why no move is taken
 * @returns {(key: string) => boolean} takes the key that leads into the text box
 */
export function bindTypedMoves(root, module, { shown, onMove, refusal = () => null }) {
  bindCommandBox(byId("command", HTMLFormElement), { reader: async () => typed, onAnswer: (words) => say(byId("answer"), words) });
  showTyping();
  onChange(showTyping);

  function showTyping() {
    root.toggleAttribute("data-typing", setting("typing") === "on");
  }

  /** @param {string} text @returns {string|null} why it was not played */
  function typed(text) {
    byId("answer").textContent = "";
    const closed = refusal();
    if (closed) {
      return closed;
    }
    const { state, sight } = shown();
    const read = module.typedMove?.(moveTyped(text), state, sight) ?? { move: moveTyped(text) };
    if (read.move !== undefined) {
      onMove(read.move);
    }
    return read.refusal ?? null;
  }

  return bindTextKey(byId("command-text", HTMLInputElement));
}
