/** The text box: moves and commands for players who prefer typing, or cannot see the board. */

import { find } from "../parts/elements.js";

const KEY = "/";

/**
 * The text stays in the box until the reader module has loaded.
 *
 * @param {HTMLFormElement} form
 * @param {object} way
 * @param {() => Promise<(text: string) => string|null>} way.reader runs a line, and returns the answer
 * @param {(answer: string) => void} way.onAnswer
 */
export function bindCommandBox(form, { reader, onAnswer }) {
  const input = find(form, "input", HTMLInputElement);
  // Load the reader early.
  input.addEventListener("focus", reader);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    input.readOnly = true;
    const read = await reader();
    input.readOnly = false;
    const text = input.value.trim();
    input.value = "";
    const answer = text === "" ? null : read(text);
    if (answer !== null) {
      onAnswer(answer);
    }
  });
}

/**
 * A key leads into the text box, Escape back. Whoever is there already may press the key again.
 *
 * @param {HTMLElement & {value: string}} input
 * @param {string} [leading]
 * @returns {(key: string) => boolean} whether the key was handled
 */
export function bindTextKey(input, leading = KEY) {
  /** @type {Element|null} */
  let before = null;
  input.addEventListener("keydown", (event) => {
    if (event.key === leading && input.value === "") {
      event.preventDefault();
    } else if (event.key === "Escape") {
      input.blur();
      if (before instanceof HTMLElement) {
        before.focus();
      }
    }
  });
  return (key) => {
    if (key === leading) {
      before = document.activeElement;
      input.focus();
    }
    return key === leading;
  };
}
