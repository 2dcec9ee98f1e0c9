/**
 * The form in which one speaks: a field, and perhaps sentences that are said with one press.
 *
 * @typedef {{type: "say", text: string} | {type: "preset", preset: string}} Fields of a command
 * @typedef {{id: string, text?: string}} Command as it was sent
 */

import { around, find } from "../parts/elements.js";

/**
 * What is refused, or not answered yet, stays in the field.
 *
 * @param {HTMLFormElement|null} form null where one may only read
 * @param {(fields: Fields) => Command} send send a command, made of these fields
 * @returns {(answer: {type: string, id: string, detail?: string}) => void} to be called with answers
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
    // Other listeners would take it for a form that leaves the page.
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
