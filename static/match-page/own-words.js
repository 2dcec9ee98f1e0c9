/** The words that a seat adds to the dice before the first ply. */

/* global gettext, interpolate */

/**
 * The words of my seat so far, null where none can be added: watching, no dice, the first ply played.
 * @param {import("../match/store.js").Store} store
 * @returns {string|null}
 */
export function myWords({ match, you, live }) {
  return you !== null && live.ply === 0 && !live.outcome ? (match.dice?.words?.[you] ?? null) : null;
}

/**
 * @param {HTMLFormElement} form a field for the words, and a hint that says which are added
 * @param {(words: string) => void} onWords
 * @returns {(store: import("../match/store.js").Store) => void} to be called when the store has changed
 */
export function bindOwnWords(form, onWords) {
  const input = form.querySelector("input");
  const hint = form.querySelector(".field-hint");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const words = input.value.trim();
    if (words) {
      onWords(words);
      input.value = "";
    }
  });
  return (store) => {
    const words = myWords(store);
    const said = words ? interpolate(gettext("Yours so far: “%(words)s”."), { words }, true) : "";
    form.hidden = words === null;
    if (hint.textContent !== said) {
      hint.textContent = said;
    }
  };
}
