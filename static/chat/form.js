/** The form in which one speaks: a field, and perhaps sentences that are said with one press. */

/**
 * What is refused, or not answered yet, stays in the field.
 *
 * @param {HTMLFormElement|null} form null where one may only read
 * @param {(fields: any) => {id: string, text?: string}} send send a command, made of these fields
 * @returns {(message: any) => void} to be called with answers
 */
export function bindForm(form, send) {
  const input = form?.querySelector("input");
  /** @type {{id: string, text?: string}|null} */
  let waiting = null;

  function say(problem) {
    form.querySelector(".field-error").textContent = problem;
  }

  function command(fields) {
    if (!waiting) {
      say("");
      waiting = send(fields);
    }
  }

  form?.addEventListener("submit", (event) => {
    event.preventDefault();
    // Other listeners would take it for a form that leaves the page.
    event.stopPropagation();
    if (input.value.trim()) {
      command({ type: "say", text: input.value });
    }
  });
  form?.addEventListener("click", ({ target }) => {
    const preset = target.closest("[data-preset]")?.dataset.preset;
    if (preset) {
      command({ type: "preset", preset });
    }
  });
  input?.addEventListener("input", () => say(""));
  return ({ type, id, detail }) => {
    if (!waiting || waiting.id !== id) {
      return;
    }
    if (type === "accepted" && input.value === waiting.text) {
      input.value = "";
    }
    say(type === "refused" ? detail : "");
    waiting = null;
  };
}
