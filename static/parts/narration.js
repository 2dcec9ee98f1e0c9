/** Announcements for screen readers: moves at once, everything else in a pause. */

/** @param {{now: HTMLElement, soon: HTMLElement}} regions an assertive and a polite live region */
export function createNarration({ now, soon }) {
  return {
    /** @param {string} sentence */
    now: (sentence) => say(now, sentence),
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
