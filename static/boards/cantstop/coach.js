/**
 * Advice on the throw and on stopping, by the chance of a bust.
 *
 * @typedef {import("./position.js").State} State
 */

import { percent, say } from "../../words/sentences.js";
import { THROWS, bustOdds } from "./odds.js";
import { COLUMNS, LENGTHS, RUNNERS, climbs, columnsOf, foreseen, isTop, running, standing } from "./position.js";
import { stopped } from "./words.js";

/* global gettext, ngettext */

/** Which share of their columns a move climbs. @param {string} move @param {State} state */
const gain = (move, state) => climbs(move, state).reduce((sum, [column, start, space]) => sum + (space - start) / LENGTHS[column], 0);

/**
 * The share of columns that one more throw gains on average, less what its bust would lose: the best pairing of each
 * throw, half of it where only that is open.
 *
 * @param {State} state
 */
function worth(state) {
  const open = COLUMNS.filter((column) =>
    state.owners[column] === null && !isTop(column, standing(state, column)) && (state.runners[column] > 0 || running(state).length < RUNNERS));
  /** @param {number[]} pairing */
  const played = (pairing) => gain(pairing.filter((column) => open.includes(column)).join("+"), state);
  const gained = THROWS.reduce((sum, [splits, ways]) => sum + ways * Math.max(...splits.map(played)), 0) / 6 ** 4;
  const risked = running(state).reduce((sum, column) => sum + (state.runners[column] - state.cones[state.turn][column]) / LENGTHS[column], 0);
  return gained - bustOdds(state) * risked;
}

/**
 * Advice for a newcomer: the pairing that reaches a top, or leaves the least chance of a bust; and whether to roll again.
 *
 * @param {State} state
 * @param {Boards.Sight} view
 * @returns {Boards.Advice|null}
 */
export function coach(state, { legal }) {
  if (state.dice.length) {
    return legal.length > 1 ? pairingAdvice(legal, state) : null;
  }
  if (!legal.includes("stop")) {
    return null;
  }
  const { claimed } = stopped(state);
  const chance = percent(bustOdds(state));
  if (claimed) {
    const count = running(state).filter((column) => isTop(column, state.runners[column])).length;
    return advice("stop", ngettext("Stop: that claims column %(claimed)s.", "Stop: that claims columns %(claimed)s.", count), { claimed });
  }
  if (bustOdds(state) === 0) {
    return advice("roll", gettext("Roll again: a bust is impossible now."));
  }
  const steps = running(state).reduce((sum, column) => sum + state.runners[column] - state.cones[state.turn][column], 0);
  return worth(state) > 0
    ? advice("roll", gettext("Roll again: the chance of a bust is %(chance)s."), { chance })
    : advice("stop", ngettext("Stop: a bust would cost %(steps)s step, and its chance is %(chance)s.", "Stop: a bust would cost %(steps)s steps, and its chance is %(chance)s.", steps), { steps, chance });
}

/** @param {string[]} legal @param {State} state */
function pairingAdvice(legal, state) {
  const top = legal.find((move) => climbs(move, state).some(([column, , space]) => isTop(column, space)));
  if (top) {
    const [[column]] = climbs(top, state).filter(([each, , space]) => isTop(each, space));
    return advice(top, gettext("%(pairing)s reaches the top of column %(column)s."), { pairing: columnsOf(top).join(" + "), column });
  }
  const chances = legal.map((move) => bustOdds(foreseen(move, state)));
  const least = Math.min(...chances);
  const [move] = legal.filter((_, nth) => chances[nth] === least).sort((one, other) => gain(other, state) - gain(one, state));
  const words = { pairing: columnsOf(move).join(" + "), chance: percent(least) };
  return chances.every((each) => each === least)
    ? advice(move, gettext("%(pairing)s brings you closest to the top."), words)
    : advice(move, gettext("%(pairing)s leaves the smallest chance of a bust: %(chance)s."), words);
}

/** The glowing button has the same words. @param {string} move @param {string} sentence @param {object} [values] @returns {Boards.Advice} */
function advice(move, sentence, values = {}) {
  const words = say(sentence, values);
  return { move, words, told: words };
}
