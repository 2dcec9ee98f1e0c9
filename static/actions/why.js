/** "Why this move?": a computer player of the first level says what made it move. The server knows. */

/* global gettext */

const KEY = "w";

/**
 * @param {HTMLElement|null} opener asks; null where nobody of that level plays
 * @param {object} way
 * @param {() => number} way.ply the ply that is looked at
 * @param {(sentence: string) => void} way.tell
 * @returns {(key: string) => boolean} whether a key asks, which it then did
 */
export function bindWhy(opener, { ply, tell }) {
  async function ask() {
    opener?.closest("dialog")?.close();
    const answer = await fetch(`${opener?.dataset.address}?ply=${ply()}`).catch(() => null);
    tell(answer?.ok ? (await answer.json()).words : gettext("The computer cannot be asked now. Try again in a while."));
  }
  opener?.addEventListener("click", ask);
  return (key) => {
    const asked = opener !== null && key.toLowerCase() === KEY;
    if (asked) {
      void ask();
    }
    return asked;
  };
}
