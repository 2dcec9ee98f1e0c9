/** The probability that some games show before a decision, on request. */

import { find } from "../parts/elements.js";
import { locale } from "../parts/locale.js";

/* global gettext */

/**
 * The valid answer, if any.
 * @param {Pick<import("../match/store.js").Store, "odds"|"live">} store
 */
export function oddsWords({ odds, live }) {
  if (odds?.ply !== live.ply) {
    return "";
  }
  return odds.chance === null ? gettext("Nothing is to be thrown now.") : inPercent(odds.chance);
}

/** @param {number} chance */
function inPercent(chance) {
  return chance.toLocaleString(locale(), { style: "percent", maximumFractionDigits: 1 });
}

/**
 * @param {HTMLElement} root holds a button and a live region for the answer
 * @param {() => void} ask
 * @returns {(store: import("../match/store.js").Store) => void} called when the store changes
 */
export function bindOdds(root, ask) {
  const answer = find(root, "[role=status]");
  root.querySelector("button")?.addEventListener("click", ask);
  return (store) => {
    root.hidden = Boolean(store.live.outcome);
    const words = oddsWords(store);
    if (answer.textContent !== words) {
      answer.textContent = words;
    }
  };
}
