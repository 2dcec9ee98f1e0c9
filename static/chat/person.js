/** The dialog about the author of a line: profile, mute, block, report. */

import { find, findAll, part } from "../parts/elements.js";
import { postJson } from "../net/json.js";

/* global gettext */

/** @typedef {{ok: boolean, sentence: string}} Answer for people */

/** @param {HTMLDialogElement} dialog */
export function personDialog(dialog) {
  const form = /** @type {HTMLFormElement|null} */ (dialog.querySelector('[data-part="report"]'));
  /** @type {{id: number, name: string, text: string, called?: string|null}} */
  let line = { id: 0, name: "", text: "" };

  for (const button of findAll(dialog, "[data-act]")) {
    button.addEventListener("click", async () => {
      const answer = await send(`/people/${line.name}/${button.dataset.act}`, {});
      if (answer.ok) {
        dialog.close();
      } else {
        say(answer);
      }
    });
  }
  form?.addEventListener("submit", async (event) => {
    event.preventDefault();
    // Other listeners would treat it as a form that leaves the page.
    event.stopPropagation();
    const reason = find(form, "textarea", HTMLTextAreaElement);
    const answer = await send(`/people/${line.name}/report`, { line: String(line.id), reason: reason.value });
    form.hidden = answer.ok;
    say(answer);
  });

  /** @param {Answer} answer */
  function say({ ok, sentence }) {
    const answer = part(dialog, "answer");
    answer.classList.toggle("notice-error", !ok);
    answer.hidden = false;
    answer.textContent = sentence;
  }

  /** @param {{id: number, name: string, text: string, called?: string|null}} about */
  return function open(about) {
    line = about;
    find(dialog, "h2").textContent = line.called ?? line.name;
    part(dialog, "quote").textContent = line.text;
    part(dialog, "profile", HTMLAnchorElement).href = `/@/${line.name}`;
    if (form) {
      form.hidden = false;
      find(form, "textarea", HTMLTextAreaElement).value = "";
      part(dialog, "answer").hidden = true;
    }
    dialog.showModal();
  };
}

/**
 * Send a form. Returns the result with a sentence for the user.
 *
 * @param {string} address
 * @param {Record<string, string>} fields
 * @returns {Promise<Answer>}
 */
async function send(address, fields) {
  const { ok, told } = await postJson(address, new URLSearchParams(fields));
  return { ok, sentence: told?.said ?? told?.detail ?? gettext("That did not work. Please try again in a moment.") };
}
