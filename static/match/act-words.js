// @ts-nocheck Typed when this folder has been taken apart.
/** What happened to a match beside its rules, in sentences. Pure. */

import { actOf, departureOf } from "./acts.js";

/* global gettext, interpolate */

const say = (sentence, words) => interpolate(sentence, words, true);

/**
 * @param {import("./acts.js").Act} act
 * @param {import("./store.js").Ply} ply that wrote it
 * @param {string[]} names by seat
 */
export function actWords({ kind, seat }, ply, names) {
  return say(sentenceOf(kind, ply), { name: names[seat] });
}

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

/** Who left, and why. */
export function departureWords({ seat, reason }, names) {
  const sentence = {
    resigned: gettext("%(name)s resigned."),
    time: gettext("%(name)s ran out of time."),
    abandoned: gettext("%(name)s left the match."),
  }[reason];
  return say(sentence, { name: names[seat] });
}

/**
 * Why a match ended, if not by the rules of its game.
 *
 * @param {string} reason of its outcome
 * @param {ReadonlyArray<import("./store.js").Ply|undefined>} plies
 * @param {string[]} names
 * @returns {string|null} null for the reasons of the game
 */
export function endWords(reason, plies, names) {
  const last = plies.findLast((ply) => ply && reasonOf(ply.action) === reason);
  if (!last) {
    return null;
  }
  const left = departureOf(last.action);
  if (left) {
    return departureWords(left, names);
  }
  const words = actWords(actOf(last.action), last, names);
  return reason === "aborted" ? `${words} ${gettext("It does not count.")}` : words;
}

const reasonOf = (text) => departureOf(text)?.reason ?? actOf(text)?.kind;
