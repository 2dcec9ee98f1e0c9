/** The text box: moves and commands for people who would rather type, or cannot see the board. */

/* global gettext */

/**
 * @param {HTMLFormElement} form
 * @param {object} way
 * @param {(text: string) => void} way.onMove anything that is no command
 * @param {Record<string, () => string|null>} way.commands by name: each returns what is to be said
 * @param {(answer: string) => void} way.onAnswer
 */
export function bindCommandBox(form, { onMove, commands, onAnswer }) {
  const input = form.querySelector("input");
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

/** Commands are known in the page's language and in English, in any case. */
export function commandNamed(text, commands) {
  const word = text.toLowerCase();
  const found = Object.keys(commands).find((name) => word === name || word === gettext(name).toLowerCase());
  return found ? commands[found] : null;
}
