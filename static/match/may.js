/**
 * What I may do, as the server says: the rules of a match are not known here. Pure.
 *
 * @typedef {FromMatch.MayFields & {ply: number}} May the permissions, and their position
 * @typedef {{may: May, live: {ply: number}}} Told the part of the store that matters here
 */

/** The permissions of a spectator, and of everybody before the first message. @type {May} */
export const NOTHING_ALLOWED = { ply: -1, commands: [], offer: [], agree: [], claim: [] };

/** @param {Told} store @returns {May} what I may do in the newest position */
export function mayNow({ may, live }) {
  return may.ply === live.ply ? may : NOTHING_ALLOWED;
}

/**
 * @param {{may: May, you: number|null}} store
 * @returns {boolean} whether I am neither player nor host of a hot-seat match: only those receive permissions
 */
export const watches = ({ may, you }) => you === null && may.ply < 0;

/** @param {Told} store @returns {boolean} whether the match waits for me */
export const myTurn = (store) => mayNow(store).commands.includes("move");

/** @param {Told} store @returns {boolean} whether I have a seat and still play, also through a bot */
export const playing = (store) => mayNow(store).commands.includes("resign");

/** @param {import("./store.js").Known} store @returns {boolean} whether a premove is possible */
export function mayPremove(store) {
  const { live, match, you, cursor, flags, pending } = store;
  const mine = you !== null && playing(store) && !myTurn(store) && live.state.turn !== you;
  const running = !live.outcome && !flags.halted && cursor === null;
  // Correspondence matches have conditional moves instead.
  const clocked = Boolean(match.clock?.initial);
  return mine && running && clocked && !match.shared && !flags.caretaken.includes(you) && !pending.some(({ type }) => type === "move");
}
