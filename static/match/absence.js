/**
 * Who is waited for although they have gone away, as those who stayed may know it. Pure; moments are the
 * server's, in milliseconds.
 *
 * @typedef {object} Absence
 * @property {number} seat on turn, and away
 * @property {number} since
 * @property {number} due when something may be claimed
 * @property {string[]} claim what
 */

import { mayNow } from "./may.js";

/* global gettext, interpolate */

/** Somebody who loads the page again is away for a moment; nobody need hear of that. */
export const UNNOTICED = 5_000;
/** How long "Wait" keeps the claim out of sight. */
export const PATIENCE = 60_000;

/**
 * @param {import("./store.js").Known} store
 * @returns {Absence|null}
 */
export function absence(store) {
  const { claim } = mayNow(store);
  const gone = claim.length > 0 ? store.away.find(({ seat }) => seat === store.live.state.turn) : undefined;
  return gone && typeof gone.due === "number" ? { ...gone, due: gone.due, claim } : null;
}

/** @param {Absence} gone @returns {number} the moment from which an absence is worth a word */
export function noticedAt({ since, due }) {
  return Math.min(since + UNNOTICED, due);
}

/** @param {number} ms @returns {string} seconds to wait, all of them, as minutes and seconds */
export function countdown(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/**
 * @param {Absence} gone
 * @param {string[]} names by seat
 * @param {string} time until it may be claimed, "" once it may
 */
export function absenceWords({ seat, claim }, names, time) {
  const words = { name: names[seat], time };
  const sentence = time
    ? claim.includes("win")
      ? gettext("%(name)s has left. You can claim the win in %(time)s.")
      : gettext("%(name)s has left. A bot can play on in %(time)s.")
    : claim.includes("win")
      ? gettext("%(name)s has left. You can claim the win.")
      : gettext("%(name)s has left. A bot can play on.");
  return interpolate(sentence, words, true);
}

/**
 * Since when something may be claimed because nobody has moved for long, whoever is here; null where nothing may.
 *
 * @param {import("./store.js").Known} store
 * @param {number} now
 * @returns {number|null}
 */
export function idleSince(store, now) {
  const { idleDue } = store.situation;
  return idleDue !== null && now >= idleDue && mayNow(store).claim.length > 0 ? idleDue : null;
}

/**
 * What is said of a match that nobody has gone on with for long.
 *
 * @param {string[]} claim what may be claimed
 * @param {string} name of the player on turn
 */
export function idleWords(claim, name) {
  return interpolate(idleSentence(claim), { name }, true);
}

/** @param {string[]} claim */
function idleSentence(claim) {
  if (!claim.includes("abort")) {
    return claim.includes("win")
      ? gettext("%(name)s has not moved for a long time. You can claim the win.")
      : gettext("%(name)s has not moved for a long time. A bot can play on.");
  }
  return claim.includes("win")
    ? gettext("Saved long ago. You can claim the win or end it without a result.")
    : gettext("Saved long ago. You can end it without a result.");
}
