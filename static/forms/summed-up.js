/** What a form says in a few words where its fields are folded away. */

import { find } from "../parts/elements.js";

/** @typedef {Record<string, string>} Words by the values of a field */

/** Stands for every value without words of its own; %s in the words of it is the value. */
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
