/**
 * An absent player on turn, as the opponents see it. Pure; times are the server's, in milliseconds.
 *
 * @typedef {object} Absence
 * @property {number} seat on turn, and away
 * @property {number} since
 * @property {number} due from when a claim is possible
 * @property {string[]} claim the possible claims
 */

import { mayNow } from "./may.js";

/* global gettext, interpolate */

/** A reload takes a moment; shorter absences are not shown. */
const UNNOTICED = 5_000;
/** How long "Wait" hides the claim. */
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

/** @param {Absence} gone @returns {number} from when an absence is shown */
export function noticedAt({ since, due }) {
  return Math.min(since + UNNOTICED, due);
}

/** @param {number} ms @returns {string} the seconds to wait, rounded up, as minutes and seconds */
export function countdown(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/**
 * @param {Absence} gone
 * @param {string[]} names by seat
 * @param {string} time until the claim is possible, "" once it is
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
 * Since when a claim is possible because of long inactivity, even if players are present; null without one.
 *
 * @param {import("./store.js").Known} store
 * @param {number} now
 * @returns {number|null}
 */
export function idleSince(store, now) {
  const { idleDue } = store.flags;
  return idleDue !== null && now >= idleDue && mayNow(store).claim.length > 0 ? idleDue : null;
}

/**
 * The sentence about a match without moves for long.
 *
 * @param {string[]} claim the possible claims
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
    ? gettext("Saved a long time ago. You can claim the win or end it without a result.")
    : gettext("Saved a long time ago. You can end it without a result.");
}
