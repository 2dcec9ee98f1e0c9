/** The text box: moves and commands for people who would rather type, or cannot see the board. */

import { find } from "../parts/elements.js";
import { commandWords } from "./command-words.js";

/**
 * @param {HTMLFormElement} form
 * @param {object} way
 * @param {(text: string) => void} way.onMove anything that is no command
 * @param {Record<string, () => string|null>} way.commands by name: each returns what is to be said
 * @param {(answer: string) => void} way.onAnswer
 */
export function bindCommandBox(form, { onMove, commands, onAnswer }) {
  const input = find(form, "input", HTMLInputElement);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const text = input.value.trim();
    input.value = "";
    if (text === "") {
      return;
    }
    const command = commandNamed(text, commands);
    if (command) {
      onAnswer(command() ?? "");
    } else {
      onMove(text);
    }
  });
}

/**
 * Commands are known in the page's language and in English, in any case.
 *
 * @param {string} text
 * @param {Record<string, () => string|null>} commands
 */
export function commandNamed(text, commands) {
  const said = commandWords();
  const word = text.toLowerCase().replace(/\s+/g, " ");
  const found = Object.keys(commands).find((name) => word === name || word === said[name]?.toLowerCase());
  return found ? commands[found] : null;
}
