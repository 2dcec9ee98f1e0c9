/**
 * What I may do, as the server says: nothing here knows the law of a match. Pure.
 *
 * @typedef {object} May
 * @property {number} ply the position it is about
 * @property {string[]} commands those without a kind: move, resign, decline, abort, reclaim, words, rematch
 * @property {string[]} offer what I may propose
 * @property {string[]} agree which offers of others I may agree to
 * @property {string[]} claim what I may claim once the player on turn has been away for long enough
 */

/** What a watcher may do, and everybody before the server has spoken. @type {May} */
export const NOTHING_ALLOWED = { ply: -1, commands: [], offer: [], agree: [], claim: [] };

/**
 * What is known of the match, as far as it matters here.
 * @typedef {{may: May, live: {ply: number}}} Known
 */

/** @param {Known} store @returns {May} what I may do in the newest position */
export function mayNow({ may, live }) {
  return may.ply === live.ply ? may : NOTHING_ALLOWED;
}

/** @param {Known} store @returns {boolean} whether the match waits for me */
export const myTurn = (store) => mayNow(store).commands.includes("move");

/** @param {Known} store @returns {boolean} whether I have a seat and still play in it, be it through a bot */
export const playing = (store) => mayNow(store).commands.includes("resign");
