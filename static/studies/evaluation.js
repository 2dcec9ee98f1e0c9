/** The best level's evaluation of the position on the board, once the user has asked for evaluations. */

import { getJson } from "../net/json.js";
import { percent } from "../words/sentences.js";

/* global gettext, interpolate */

/**
 * @typedef {{seat: number, shares: number[], moves: {move: string, share: number}[], proved: boolean}} Look
 *
 * @typedef {object} Shown a position in which somebody is to move
 * @property {string} position
 * @property {string[]} names
 * @property {(move: string) => string} nameOf
 */

/** The time on a position before it is evaluated. */
const REST_MS = 400;

/** The chances of who is to move, and the best move. @param {Look} look @param {Shown} shown */
export function evaluationWords({ seat, shares, moves, proved }, { names, nameOf }) {
  const words = proved ? gettext("%(name)s %(share)s (proved). Best: %(move)s.") : gettext("%(name)s %(share)s. Best: %(move)s.");
  return interpolate(words, { name: names[seat], share: percent(shares[seat]), move: nameOf(moves[0].move) }, true);
}

/**
 * @param {string} address
 * @param {HTMLElement} button stays down while evaluations are shown
 * @param {{onTold: (words: string, isNew: boolean) => void, shown: () => Shown|null}} way
 */
export function createEvaluations(address, button, { onTold, shown }) {
  /** @type {Map<string, Look>} */
  const known = new Map();
  let timer = 0;

  button.addEventListener("click", () => {
    button.setAttribute("aria-pressed", String(!isOn()));
    update();
  });

  const isOn = () => button.getAttribute("aria-pressed") === "true";

  /** @param {Shown} there */
  async function ask(there) {
    const { ok, told } = await getJson(`${address}?${new URLSearchParams({ p: there.position })}`);
    if (ok) {
      known.set(there.position, told);
    }
    if (shown()?.position === there.position && isOn()) {
      onTold(ok ? evaluationWords(told, there) : (told?.detail ?? gettext("Cannot reach the server. Try again later.")), true);
    }
  }

  /** Another position is on the board. */
  function update() {
    clearTimeout(timer);
    const there = isOn() ? shown() : null;
    const look = there && known.get(there.position);
    if (there && !look) {
      timer = setTimeout(() => ask(there), REST_MS);
    }
    onTold(look ? evaluationWords(look, there) : there ? gettext("Evaluating…") : "", false);
  }

  return { update };
}
