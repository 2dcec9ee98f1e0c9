/** What a rated match did to my rating: told once the match is settled, a moment after its end, or when asked. */

import { ratingWords } from "../match/ending.js";
import { follow, isKnown } from "../match/store.js";
import { askPersonal, onPersonal, whenOpen } from "../net/me.js";

/**
 * @param {HTMLElement} line keeps its height from the end on, whenever the rating comes
 * @param {Parameters<typeof follow>[0]} store
 * @param {(sentence: string) => void} say
 */
export function bindRating(line, store, say) {
  const isOver = () => isKnown(store.get()) && store.get().live.outcome !== null;
  const ask = () => {
    const { match } = store.get();
    if (match && isOver() && line.textContent === "") {
      askPersonal({ type: "rating", match: match.id });
    }
  };
  onPersonal("rating", ({ match, change }) => {
    const words = change && match === store.get().match?.id ? ratingWords(change) : "";
    if (words && words !== line.textContent) {
      line.textContent = words;
      say(words);
    }
  });
  whenOpen(ask);
  follow(store, (now, before) => {
    line.hidden = !now.live.outcome || now.live.outcome.reason === "aborted";
    if (now.match !== before.match) {
      ask();
    }
  });
}
