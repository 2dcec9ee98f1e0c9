/** Match actions outside of the game's rules, in sentences. Pure. */

import { say } from "../words/sentences.js";
import { actOf, departureOf } from "./acts.js";

/* global gettext */

/** @typedef {Pick<Boards.Sight, "names"|"seat">} Listener the players, and the reader's seat */

/**
 * @param {import("./acts.js").Act} act
 * @param {import("./acts.js").Ply} ply that wrote it
 * @param {Listener} view
 */
export function actWords({ kind, seat }, ply, view) {
  // An act without a command was caused by time.
  const [mine, theirs] = kind === "aborted" && !ply.command ? late() : (ACTS[kind] ?? ACTS.reclaimed)();
  return say(seat === view.seat ? mine : theirs, { name: view.names[seat] });
}

/**
 * Sentences for the acting seat, and for everybody else.
 *
 * @type {Record<string, () => [mine: string, theirs: string]>}
 */
const ACTS = {
  aborted: () => [gettext("You aborted the match."), gettext("%(name)s aborted the match.")],
  expired: () => {
    const words = gettext("The match ended without a result: no moves for too long.");
    return [words, words];
  },
  stopped: () => {
    const words = gettext("The organiser ended the match without a result.");
    return [words, words];
  },
  agreed: () => [
    gettext("Draw agreed: you offered it."),
    gettext("Draw agreed: %(name)s offered it."),
  ],
  abandoned: () => [
    gettext("You left, and your opponent claimed a draw."),
    gettext("%(name)s left, and the match was claimed as a draw."),
  ],
  ended: () => [
    gettext("The players agreed to end the match, as you proposed."),
    gettext("The players agreed to end the match, as %(name)s proposed."),
  ],
  back: () => [gettext("You took a move back."), gettext("%(name)s took a move back.")],
  paused: () => [gettext("The match was paused, as you proposed."), gettext("The match was paused, as %(name)s proposed.")],
  saved: () => [gettext("You saved the match for later."), gettext("%(name)s saved the match for later.")],
  resumed: () => [gettext("The match continues."), gettext("The match continues.")],
  caretaker: () => [gettext("A bot is playing for you."), gettext("A bot is playing for %(name)s.")],
  reclaimed: () => [gettext("You are playing again."), gettext("%(name)s is playing again.")],
};

const late = () => [
  gettext("The match did not begin: you made no move in time."),
  gettext("The match did not begin: %(name)s made no move in time."),
];

/**
 * Who left, and why.
 *
 * @param {import("./acts.js").Departure} departure
 * @param {Listener} view
 */
export function departureWords({ seat, reason }, view) {
  const [mine, theirs] = departureSentences(reason);
  return say(seat === view.seat ? mine : theirs, { name: view.names[seat] });
}

/** A newer server may send unknown reasons. @param {string} reason */
function departureSentences(reason) {
  switch (reason) {
    case "resigned":
      return [gettext("You resigned."), gettext("%(name)s resigned.")];
    case "time":
      return [gettext("You ran out of time."), gettext("%(name)s ran out of time.")];
    default:
      return [gettext("You left the match."), gettext("%(name)s left the match.")];
  }
}

/**
 * Why a match ended, if not by the game's rules.
 *
 * @param {string} reason of its outcome
 * @param {ReadonlyArray<import("./acts.js").Ply|undefined>} plies
 * @param {Listener} view
 * @returns {string|null} null for the reasons of the game
 */
export function endWords(reason, plies, view) {
  const last = plies.findLast((ply) => ply && reasonOf(ply.action) === reason);
  const left = last && departureOf(last.action);
  if (left) {
    return departureWords(left, view);
  }
  const act = last && actOf(last.action);
  if (!act) {
    return null;
  }
  return actWords(act, last, view);
}

/** @param {string} text of a ply */
const reasonOf = (text) => departureOf(text)?.reason ?? actOf(text)?.kind;
