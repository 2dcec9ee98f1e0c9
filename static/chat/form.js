/**
 * The chat form: a field, and possibly preset sentences.
 *
 * @typedef {{type: "say", text: string} | {type: "preset", preset: string}} Fields of a command
 * @typedef {{id: string, text?: string}} Command as it was sent
 */

import { around, find } from "../parts/elements.js";

/**
 * Text stays in the field until the server accepts it.
 *
 * @param {HTMLFormElement|null} form null if the user may only read
 * @param {(fields: Fields) => Command} send sends a command with these fields
 * @returns {(answer: {type: string, id: string, detail?: string}) => void} called with the server's answers
 */
export function bindForm(form, send) {
  if (!form) {
    return () => {};
  }
  const input = find(form, "input", HTMLInputElement);
  const problems = find(form, ".field-error");
  /** @type {Command|null} */
  let waiting = null;

  /** @param {string} problem */
  function say(problem) {
    problems.textContent = problem;
  }

  /** @param {Fields} fields */
  function command(fields) {
    if (!waiting) {
      say("");
      waiting = send(fields);
    }
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    // Other listeners would treat it as a form that leaves the page.
    event.stopPropagation();
    if (input.value.trim()) {
      command({ type: "say", text: input.value });
    }
  });
  form.addEventListener("click", (event) => {
    const preset = around(event, "[data-preset]")?.dataset.preset;
    if (preset) {
      command({ type: "preset", preset });
    }
  });
  input.addEventListener("input", () => say(""));
  return ({ type, id, detail }) => {
    if (!waiting || waiting.id !== id) {
      return;
    }
    if (type === "accepted" && input.value === waiting.text) {
      input.value = "";
    }
    say(type === "refused" ? (detail ?? "") : "");
    waiting = null;
  };
}
