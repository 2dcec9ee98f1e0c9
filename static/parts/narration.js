/** Announcements for screen readers: moves at once, everything else in a pause. */

/**
 * @param {{now: HTMLElement, soon: HTMLElement}} regions an assertive and a polite live region; readers can also walk
 *   to their texts, so none may stay that is no longer true
 */
export function createNarration({ now, soon }) {
  return {
    /** @param {string} sentence */
    now(sentence) {
      // It interrupts the polite one, which was about the position before.
      soon.textContent = "";
      say(now, sentence);
    },
    /** @param {string} sentence */
    soon: (sentence) => say(soon, sentence),
  };
}

/**
 * Say a sentence, even the same twice: an unchanged live region is silent.
 *
 * @param {HTMLElement} region
 * @param {string} sentence
 */
export function say(region, sentence) {
  region.textContent = region.textContent === sentence ? `${sentence}\u00a0` : sentence;
}
