/** The best level's evaluation of the position on the board, as it deepens, once the user has asked for evaluations. */

import { getLines } from "../net/json.js";
import { percent } from "../words/sentences.js";

/* global gettext, interpolate */

/**
 * @typedef {object} Look
 * @property {number} seat who is to move
 * @property {number[]} shares
 * @property {{move: string, share: number}[]} moves the best first
 * @property {boolean} proved
 * @property {number|null} depth
 * @property {string[]} line the best moves from here on
 * @property {number[]} turns who makes them
 * @property {boolean} final
 *
 * @typedef {object} Shown a position in which somebody is to move
 * @property {string} position
 * @property {string[]} names
 * @property {(move: string, seat: number) => string} nameOf
 *
 * @typedef {object} Told
 * @property {string} words the evaluation in a sentence
 * @property {string} value
 * @property {string} depth
 * @property {string} line
 */

/** The time on a position before it is evaluated. */
const REST_MS = 400;

/** The chances of who is to move, and the best move. @param {Look} look @param {Shown} shown */
export function evaluationWords({ seat, shares, moves, proved }, { names, nameOf }) {
  const words = proved ? gettext("%(name)s %(share)s (proved). Best: %(move)s.") : gettext("%(name)s %(share)s. Best: %(move)s.");
  return interpolate(words, { name: names[seat], share: percent(shares[seat]), move: nameOf(moves[0].move, seat) }, true);
}

/** The depth that the search has reached, or that there is nothing deeper. @param {Look} look */
export function depthWords({ depth, proved }) {
  return proved ? gettext("Proved") : depth === null ? "" : interpolate(gettext("Depth %(depth)s"), { depth }, true);
}

/** @param {Look} look @param {Shown} shown @returns {Told} */
const told = (look, shown) => ({
  words: evaluationWords(look, shown),
  value: `${shown.names[look.seat]} ${percent(look.shares[look.seat])}`,
  depth: depthWords(look),
  line: look.line.map((move, place) => shown.nameOf(move, look.turns[place])).join(" "),
});

/** @param {string} words @returns {Told} */
const only = (words) => ({ words, value: "", depth: "", line: "" });

/**
 * @param {string} address
 * @param {HTMLElement} button stays down while evaluations are shown
 * @param {{onTold: (told: Told|null, isFinal: boolean) => void, shown: () => Shown|null}} way null while none are shown
 */
export function createEvaluations(address, button, { onTold, shown }) {
  /** The final ones. @type {Map<string, Look>} */
  const known = new Map();
  let timer = 0;
  /** The position that is asked for, until another one is shown: the search stops when nobody looks. */
  let asking = new AbortController();
  let asked = "";
  /** What is known of it. @type {Look|null} */
  let last = null;

  button.addEventListener("click", () => {
    button.setAttribute("aria-pressed", String(!isOn()));
    update();
  });

  const isOn = () => button.getAttribute("aria-pressed") === "true";

  /** @param {Shown} there */
  async function ask(there) {
    const { signal } = asking;
    /** @param {Look} look */
    const take = (look) => {
      if (look.final) {
        known.set(there.position, look);
      }
      if (!signal.aborted) {
        last = look;
        onTold(told(look, there), look.final);
      }
    };
    const answer = await getLines(`${address}?${new URLSearchParams({ p: there.position })}`, take, signal);
    if (!answer.ok && !signal.aborted) {
      onTold(only(answer.told?.detail ?? gettext("Cannot reach the server. Try again later.")), true);
    }
  }

  /** The position on the board, or its names, may be others. */
  function update() {
    const there = isOn() ? shown() : null;
    const wanted = there?.position ?? "";
    if (wanted === asked && wanted) {
      return;
    }
    clearTimeout(timer);
    asking.abort();
    asking = new AbortController();
    asked = wanted;
    const look = known.get(wanted);
    last = look ?? null;
    if (there && !look) {
      timer = setTimeout(() => ask(there), REST_MS);
    }
    onTold(there ? (look ? told(look, there) : only(gettext("Evaluating…"))) : isOn() ? only("") : null, false);
  }

  return {
    update,
    isOn,

    /** The best move in the position on the board, null while it is not known. */
    best: () => last?.moves[0]?.move ?? null,
  };
}
