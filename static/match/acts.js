/**
 * Match actions outside of the game's rules, parsed from the plies. The server applies them; here they are told apart
 * from moves, and plies taken back from those in effect. Pure.
 *
 * @typedef {object} Act
 * @property {string} kind aborted, expired, stopped, agreed, abandoned, ended, back, paused, saved, resumed, caretaker,
 *   reclaimed
 * @property {number} seat the seat that caused it, or that it affects
 * @property {number|null} ply the target of a take-back; null for others
 *
 * @typedef {{seat: number, reason: string}} Departure
 * @typedef {FromMatch.PlyFields} Ply
 */

const ACT = /^(aborted|expired|stopped|agreed|abandoned|ended|back|paused|saved|resumed|caretaker|reclaimed):([0-9])(?::([0-9]{1,7}))?$/;
const DEPARTURE = /^left:([0-9]):([a-z]+)$/;

/** @param {string} text @returns {Act|null} the act written as `text`, null if it is an action of the game */
export function actOf(text) {
  const found = ACT.exec(text);
  if (!found || (found[3] !== undefined) !== (found[1] === "back")) {
    return null;
  }
  return { kind: found[1], seat: Number(found[2]), ply: found[3] === undefined ? null : Number(found[3]) };
}

/** @param {string} text @returns {Departure|null} the departure written as `text` */
export function departureOf(text) {
  const found = DEPARTURE.exec(text);
  return found && { seat: Number(found[1]), reason: found[2] };
}

/**
 * The last ply that was neither a move nor a roll. What a player prepared before it (a premove, a selection, typed text)
 * was meant for a position that did not come: a take-back may have put another one in its place.
 *
 * @param {ReadonlyArray<Ply|undefined>} plies
 * @returns {number} its number, 0 without one
 */
export function lastInterruption(plies) {
  return plies.findLast((ply) => ply && (actOf(ply.action) || departureOf(ply.action)))?.number ?? 0;
}

/**
 * @param {Boards.Event} event
 * @returns {event is Boards.Event & Departure} whether it is a departure, which every game has
 */
export const isDeparture = (event) => event.kind === "left";

/**
 * Who has left, and why, after ply `last`.
 *
 * @param {ReadonlyArray<Ply|undefined>} plies
 * @param {number} last
 * @returns {Map<number, string>} reasons by seat
 */
export function departures(plies, last) {
  const left = plies.slice(0, last).map((ply) => ply && departureOf(ply.action));
  return new Map(left.flatMap((each) => (each ? [[each.seat, each.reason]] : [])));
}

/**
 * The plies that led to the position after ply `last`, without acts and plies taken back.
 *
 * @param {ReadonlyArray<Ply|undefined>} plies
 * @param {number} last
 * @returns {Ply[]}
 */
export function inEffect(plies, last) {
  /** @type {Ply[]} */
  let line = [];
  for (const ply of plies.slice(0, last)) {
    const act = ply && actOf(ply.action);
    const back = act?.ply ?? null;
    if (back !== null) {
      line = line.filter(({ number }) => number <= back);
    } else if (ply && !act) {
      line.push(ply);
    }
  }
  return line;
}

/**
 * @param {ReadonlyArray<Ply|undefined>} plies
 * @param {number} number
 * @returns {Ply|null} the last move before the position after a ply; acts are skipped
 */
export function lastPlayed(plies, number) {
  const ply = plies[number - 1] ?? null;
  return ply && actOf(ply.action) ? (inEffect(plies, number).at(-1) ?? null) : ply;
}
