/** The rating changes of a rated match: shown once settled, a moment after its end. */

import { othersRatingWords, ratingWords } from "../match/ending.js";
import { follow, isKnown } from "../match/store.js";
import { isWithoutResult } from "../match/words.js";
import { find } from "../parts/elements.js";

/** @typedef {Pick<typeof import("../net/me.js"), "askPersonal"|"onPersonal"|"whenOpen">} Personal the personal feed of the page */

/**
 * @param {HTMLElement} line mine and the others'; its height is reserved from the end on
 * @param {Parameters<typeof follow>[0]} store
 * @param {{say: (sentence: string) => void, personal: Personal}} way
 */
export function bindRating(line, store, { say, personal }) {
  const isOver = () => isKnown(store.get()) && store.get().live.outcome !== null;
  const [mine, theirs] = [find(line, "[data-rating=mine]"), find(line, "[data-rating=theirs]")];
  const ask = () => {
    const { match } = store.get();
    if (match && isOver() && mine.textContent === "") {
      personal.askPersonal({ type: "rating", match: match.id });
    }
  };
  personal.onPersonal("rating", ({ match, change, others }) => {
    const words = change && match === store.get().match?.id ? ratingWords(change) : "";
    if (words && words !== mine.textContent) {
      mine.textContent = words;
      theirs.textContent = othersRatingWords(others);
      say(`${words}. ${theirs.textContent}`);
    }
  });
  personal.whenOpen(ask);
  follow(store, (now, before) => {
    line.hidden = !now.live.outcome || isWithoutResult(now.live.outcome.reason);
    if (now.match !== before.match) {
      ask();
    }
  });
}
