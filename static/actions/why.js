/** "Why this move?": a computer player of the first level explains its move. The server knows the reason. */

import { getJson } from "../net/json.js";

/* global gettext */

const KEY = "w";

/**
 * @param {HTMLElement} opener the button
 * @param {object} way
 * @param {() => number} way.ply the ply on the board
 * @param {(sentence: string) => void} way.tell
 * @returns {(key: string) => boolean} whether the key was handled
 */
export function bindWhy(opener, { ply, tell }) {
  async function ask() {
    opener.closest("dialog")?.close();
    const { ok, told } = await getJson(`${opener.dataset.address}?ply=${ply()}`);
    tell((ok ? told?.words : told?.detail) || gettext("Cannot reach the computer. Try again later."));
  }
  opener.addEventListener("click", ask);
  return (key) => {
    const asked = key.toLowerCase() === KEY;
    if (asked) {
      void ask();
    }
    return asked;
  };
}
