/**
 * What I may do, as the server says: nothing here knows the law of a match. Pure.
 *
 * @typedef {FromMatch.MayFields & {ply: number}} May what, and in which position
 * @typedef {{may: May, live: {ply: number}}} Told what is known of the match, as far as it matters here
 */

/** What a watcher may do, and everybody before the server has spoken. @type {May} */
export const NOTHING_ALLOWED = { ply: -1, commands: [], offer: [], agree: [], claim: [] };

/** @param {Told} store @returns {May} what I may do in the newest position */
export function mayNow({ may, live }) {
  return may.ply === live.ply ? may : NOTHING_ALLOWED;
}

/**
 * @param {{may: May, you: number|null}} store
 * @returns {boolean} whether I neither sit at the board nor hold it for those who do: nobody else is told what they may do
 */
export const watches = ({ may, you }) => you === null && may.ply < 0;

/** @param {Told} store @returns {boolean} whether the match waits for me */
export const myTurn = (store) => mayNow(store).commands.includes("move");

/** @param {Told} store @returns {boolean} whether I have a seat and still play in it, be it through a bot */
export const playing = (store) => mayNow(store).commands.includes("resign");
