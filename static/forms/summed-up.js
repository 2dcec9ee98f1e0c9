/** The summary of a form's collapsed fields. */

import { find } from "../parts/elements.js";

/** @typedef {Record<string, string>} Words summaries by the value of a field */

/** Matches every value without its own summary; %s in the summary is the value. */
const ANY = "*";

/** @param {HTMLFormElement} form `data-words` has the Words of each field; `[data-says]` shows them */
export function bindSummary(form) {
  /** @type {[string, Words][]} */
  const fields = Object.entries(JSON.parse(form.dataset.words ?? ""));
  const part = find(form, "[data-says]");

  function say() {
    const values = new FormData(form);
    const said = fields.map(([name, words]) => wordsFor(words, String(values.get(name) ?? "")));
    part.textContent = said.filter(Boolean).join(" · ");
  }

  say();
  form.addEventListener("change", say);
}

/**
 * @param {Words} words
 * @param {string} value
 */
function wordsFor(words, value) {
  return words[value] ?? (value && (words[ANY] ?? "").replace("%s", value));
}
