/** The dice of a match page: the player's client seed before the first ply, and the noted commitment. */

import { notePromise } from "../dice/promise.js";
import { mayNow } from "../match/may.js";
import { follow } from "../match/store.js";
import { find } from "../parts/elements.js";
import { freshId } from "../net/outbox.js";
import { lastingStorageOrNull } from "../net/storage.js";

/* global gettext, interpolate */

/**
 * The client seed of my seat so far; null if none can be added: as a spectator, without dice, or after the first ply.
 * @param {import("../match/store.js").Known} store
 * @returns {string|null}
 */
export function myWords(store) {
  const { match, you, live } = store;
  return mayNow(store).commands.includes("words") ? (match.dice.words?.[you ?? live.state.turn] ?? null) : null;
}

/**
 * @param {HTMLFormElement|null} form a field for the client seed, and a hint with the current one; null in games
 *   without dice
 * @param {import("./connection.js").Connection} connection
 * @returns {() => void} unbind
 */
export function bindDice(form, { store, command }) {
  const dress = form ? bindOwnWords(form, (words) => command({ type: "words", words })) : () => {};
  return follow(store, (now) => {
    dress(now);
    // If the player enters no client seed, the browser adds a random one.
    if (myWords(now) === "" && !now.pending.some(({ type }) => type === "words")) {
      command({ type: "words", words: freshId() });
    }
    keepPromise(now);
  });
}

/**
 * Note the commitment for the page that checks the dice.
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
 * @returns {(store: import("../match/store.js").Known) => void} called when the store changes
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
    const said = words ? interpolate(gettext("Your words so far: “%(words)s”."), { words }, true) : "";
    form.hidden = words === null;
    if (hint.textContent !== said) {
      hint.textContent = said;
    }
  };
}
