/** What a player has to do with the dice: words of their own before the first ply, and the promise made of them. */

import { lastingStorageOrNull, notePromise } from "../dice/promise.js";
import { mayNow } from "../match/may.js";
import { follow } from "../match/store.js";
import { find } from "../parts/elements.js";
import { freshId } from "../net/outbox.js";

/* global gettext, interpolate */

/**
 * The words of my seat so far, null where none can be added: watching, no dice, the first ply played.
 * @param {import("../match/store.js").Known} store
 * @returns {string|null}
 */
export function myWords(store) {
  const { match, you, live } = store;
  return mayNow(store).commands.includes("words") ? (match.dice.words?.[you ?? live.state.turn] ?? null) : null;
}

/**
 * @param {HTMLFormElement|null} form a field for the words, and a hint that says which are added; games without
 *   dice have none
 * @param {import("./connection.js").Connection} connection
 * @returns {() => void} unbind
 */
export function bindDice(form, { store, command }) {
  const dress = form ? bindOwnWords(form, (words) => command({ type: "words", words })) : () => {};
  return follow(store, (now) => {
    dress(now);
    // A browser whose player gives the dice no words of their own gives them random ones.
    if (myWords(now) === "" && !now.pending.some(({ type }) => type === "words")) {
      command({ type: "words", words: freshId() });
    }
    keepPromise(now);
  });
}

/**
 * The page that checks the dice compares what was promised while the match was played.
 * @param {import("../match/store.js").Known} store
 */
function keepPromise({ match, live }) {
  if (match.dice.commitment && !live.outcome) {
    notePromise(lastingStorageOrNull(), match.id, match.dice.commitment);
  }
}

/**
 * @param {HTMLFormElement} form
 * @param {(words: string) => void} onWords
 * @returns {(store: import("../match/store.js").Known) => void} to be called when the store has changed
 */
function bindOwnWords(form, onWords) {
  const input = find(form, "input", HTMLInputElement);
  const hint = find(form, ".field-hint");
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
