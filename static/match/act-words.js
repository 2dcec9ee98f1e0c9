/** What happened to a match beside its rules, in sentences. Pure. */

import { actOf, departureOf } from "./acts.js";

/* global gettext, interpolate */

/** @param {string} sentence @param {object} words */
const say = (sentence, words) => interpolate(sentence, words, true);

/**
 * @param {import("./acts.js").Act} act
 * @param {import("./acts.js").Ply} ply that wrote it
 * @param {string[]} names by seat
 */
export function actWords({ kind, seat }, ply, names) {
  return say(sentenceOf(kind, ply), { name: names[seat] });
}

/** @param {string} kind @param {import("./acts.js").Ply} ply */
function sentenceOf(kind, ply) {
  switch (kind) {
    case "aborted":
      // Time has no command.
      return ply.command
        ? gettext("%(name)s aborted the match.")
        : gettext("The match was aborted: %(name)s did not make a first move in time.");
    case "agreed":
      return gettext("The players agreed on a draw, which %(name)s offered.");
    case "abandoned":
      return gettext("%(name)s went away, and the match was called a draw.");
    case "ended":
      return gettext("The players ended the match as it stood, which %(name)s proposed.");
    case "back":
      return gettext("%(name)s took a move back.");
    case "paused":
      return gettext("The match was paused, as %(name)s proposed.");
    case "saved":
      return gettext("%(name)s saved the match for later.");
    case "resumed":
      return gettext("The match goes on.");
    case "caretaker":
      return gettext("A bot plays for %(name)s.");
    default:
      return gettext("%(name)s plays again.");
  }
}

/**
 * Who left, and why.
 *
 * @param {import("./acts.js").Departure} departure
 * @param {string[]} names by seat
 */
export function departureWords({ seat, reason }, names) {
  return say(departureSentence(reason), { name: names[seat] });
}

/** A server that is newer than this page may know more reasons. @param {string} reason */
function departureSentence(reason) {
  switch (reason) {
    case "resigned":
      return gettext("%(name)s resigned.");
    case "time":
      return gettext("%(name)s ran out of time.");
    default:
      return gettext("%(name)s left the match.");
  }
}

/**
 * Why a match ended, if not by the rules of its game.
 *
 * @param {string} reason of its outcome
 * @param {ReadonlyArray<import("./acts.js").Ply|undefined>} plies
 * @param {string[]} names
 * @returns {string|null} null for the reasons of the game
 */
export function endWords(reason, plies, names) {
  const last = plies.findLast((ply) => ply && reasonOf(ply.action) === reason);
  const left = last && departureOf(last.action);
  if (left) {
    return departureWords(left, names);
  }
  const act = last && actOf(last.action);
  if (!act) {
    return null;
  }
  const words = actWords(act, last, names);
  return reason === "aborted" ? `${words} ${gettext("It does not count.")}` : words;
}

/** @param {string} text of a ply */
const reasonOf = (text) => departureOf(text)?.reason ?? actOf(text)?.kind;
