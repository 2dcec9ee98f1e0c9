/** The text at the end of a match: winner, score, places, and a consolation for the loser. Pure. */

import { say } from "../words/sentences.js";
import { endWords } from "./act-words.js";
import { inEffect } from "./acts.js";
import { movesUpTo } from "./turns.js";
import { headline, isDraw, namesOf, reasonWords } from "./words.js";

/* global gettext */

/**
 * @typedef {import("./store.js").Known} Known
 *
 * @typedef {object} Ending
 * @property {string} title
 * @property {{name: string, tally: string, won: boolean}[]} places with more than two players, best first; else empty
 * @property {string} words why it ended; if the title says so already, something worth remembering
 * @property {string} more what is left out on phones
 */

/**
 * @param {Known} store
 * @param {Boards.Module} board
 * @param {Boards.Sight} view
 * @returns {Ending|null} null during the match
 */
export function ending(store, board, view) {
  const { outcome } = store.live;
  if (!outcome) {
    return null;
  }
  const played = endWords(outcome.reason, store.plies, view) === null;
  const moveAt = (/** @type {number} */ ply) => movesUpTo(store.plies, ply);
  const fact = (played && board.fact?.(inEffect(store.plies, store.live.ply), view, moveAt)) || "";
  const points = played ? score(store) : "";
  // The score already explains the result.
  const reason = points && fact ? "" : reasonWords(store, board, view);
  return {
    title: [headline(store), points].filter(Boolean).join(" "),
    places: played && outcome.winners.length > 0 && view.names.length > 2 ? places(store, board) : [],
    words: reason || fact,
    more: (reason && fact) || (played ? consolation(store) : ""),
  };
}

/**
 * The points of two players, the winner's first, as the sentence before is about the winner; "" if points do not
 * decide.
 *
 * @param {Known} store
 */
function score({ live: { outcome } }) {
  const { scores, winners } = /** @type {Boards.Outcome} */ (outcome);
  if (scores.length !== 2 || winners.length === 0 || Math.max(...scores) < 2) {
    return "";
  }
  return say(gettext("%(winner)s : %(loser)s"), { winner: scores[winners[0]], loser: scores[1 - winners[0]] });
}

/** @param {Known} store @param {Boards.Module} board */
function places(store, board) {
  const { outcome, state } = store.live;
  const { scores, winners } = /** @type {Boards.Outcome} */ (outcome);
  const won = (/** @type {number} */ seat) => winners.includes(seat);
  return namesOf(store)
    .map((name, seat) => ({ seat, name: seat === store.you ? gettext("You") : name }))
    .sort((a, b) => Number(won(b.seat)) - Number(won(a.seat)) || (scores[b.seat] ?? 0) - (scores[a.seat] ?? 0))
    .map(({ seat, name }) => ({ name, tally: board.tally?.(state, seat) ?? "", won: won(seat) }));
}

/**
 * How the match changed my rating.
 *
 * @param {FromPersonal.ChangeFields} change
 */
export function ratingWords(change) {
  return say(change.provisional
    ? gettext("Your rating: %(after)s (%(change)s), provisional")
    : gettext("Your rating: %(after)s (%(change)s)"), ratingNumbers(change));
}

/**
 * How the match changed the ratings of the others.
 *
 * @param {FromPersonal.OthersChange[]} others
 */
export function othersRatingWords(others) {
  const words = (/** @type {FromPersonal.OthersChange} */ change) => say(change.provisional
    ? gettext("%(name)s: %(after)s (%(change)s), provisional")
    : gettext("%(name)s: %(after)s (%(change)s)"), { name: change.name, ...ratingNumbers(change) });
  return others.map(words).join(" · ");
}

/** @param {FromPersonal.ChangeFields} change */
function ratingNumbers({ before, after }) {
  const sign = after < before ? "−" : "+";
  return { after, change: after === before ? "±0" : `${sign}${Math.abs(after - before)}` };
}

/** Whether to celebrate: there is a winner, and I did not lose. @param {Known} store */
export function isJoyful(store) {
  return hasWinner(store) && (store.you === null || winnersOf(store).includes(store.you));
}

/** For the loser, if they played to the end. @param {Known} store */
function consolation(store) {
  return hasWinner(store) && !isJoyful(store) ? gettext("Well played!") : "";
}

/** @param {Known} store */
const winnersOf = ({ live: { outcome } }) => outcome?.winners ?? [];

/** Whether there are winners and losers. @param {Known} store */
const hasWinner = (store) => winnersOf(store).length > 0 && !isDraw(winnersOf(store), namesOf(store));
