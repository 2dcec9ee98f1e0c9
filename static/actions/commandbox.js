/** The text box: moves and commands for people who would rather type, or cannot see the board. */

import { find } from "../parts/elements.js";

/**
 * What is typed stays in the box until there is somebody to read it.
 *
 * @param {HTMLFormElement} form
 * @param {object} way
 * @param {() => Promise<(text: string) => string|null>} way.reader obeys what is typed, and returns what is to be said
 * @param {(answer: string) => void} way.onAnswer
 */
export function bindCommandBox(form, { reader, onAnswer }) {
  const input = find(form, "input", HTMLInputElement);
  // Who goes to the box means to type.
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
