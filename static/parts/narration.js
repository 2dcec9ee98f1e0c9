/** What is said to people who listen: moves at once, everything else when there is a pause. */

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
 * The same sentence twice is said twice: a region that does not change says nothing.
 *
 * @param {HTMLElement} region
 * @param {string} sentence
 */
export function say(region, sentence) {
  region.textContent = region.textContent === sentence ? `${sentence}\u00a0` : sentence;
}
