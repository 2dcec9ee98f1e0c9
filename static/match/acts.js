// @ts-nocheck Typed when this folder has been taken apart.
/**
 * What happens to a match beside the rules of its game, read off the texts of its plies as the server
 * reads it (games/law/acts.py): so a page that heard every ply and one that has just loaded know the same. Pure.
 *
 * @typedef {object} Act
 * @property {string} kind aborted, agreed, abandoned, ended, back, paused, saved, resumed, caretaker, reclaimed
 * @property {number} seat who was behind it, or whom it befell
 * @property {number|null} ply where a take-back leads; nothing else has one
 *
 * @typedef {object} Situation what the plies up to one say beside the position
 * @property {number} ply that one
 * @property {"paused"|"saved"|null} halted
 * @property {number[]} acted the seats that have decided something in the game
 * @property {number[]} left the seats that have left for good
 * @property {number[]} caretaken the seats a bot plays for
 *
 * @typedef {object} Ply
 * @property {number} number 1, 2, 3 ...
 * @property {number|null} seat null for a throw of dice
 * @property {string} action
 * @property {number[]|null} dice
 * @property {Array<{kind: string}>} events
 * @property {any} state after the ply
 * @property {string|null} [command] id of the command that made it
 */

const ACT = /^(aborted|agreed|abandoned|ended|back|paused|saved|resumed|caretaker|reclaimed):([0-9])(?::([0-9]{1,7}))?$/;
const DEPARTURE = /^left:([0-9]):([a-z]+)$/;

/** @type {Situation} */
export const AT_FIRST = { ply: 0, halted: null, acted: [], left: [], caretaken: [] };

/** @returns {Act|null} the act written as `text`, null if it is an action of the game */
export function actOf(text) {
  const found = ACT.exec(text);
  if (!found || (found[3] !== undefined) !== (found[1] === "back")) {
    return null;
  }
  return { kind: found[1], seat: Number(found[2]), ply: found[3] === undefined ? null : Number(found[3]) };
}

/** @returns {{seat: number, reason: string}|null} the departure written as `text` */
export function departureOf(text) {
  const found = DEPARTURE.exec(text);
  return found && { seat: Number(found[1]), reason: found[2] };
}

/**
 * @param {Situation} before
 * @param {Ply} ply the next one
 * @returns {Situation}
 */
export function situationAfter(before, { number, seat, action }) {
  return { ...before, ...change(before, seat, action), ply: number };
}

function change({ acted, left, caretaken }, seat, action) {
  const gone = departureOf(action);
  if (gone) {
    return { left: including(left, gone.seat), caretaken: without(caretaken, gone.seat) };
  }
  const act = actOf(action);
  switch (act?.kind) {
    case undefined:
      return seat === null ? {} : { acted: including(acted, seat) };
    case "paused":
    case "saved":
      return { halted: act.kind };
    case "resumed":
      return { halted: null };
    case "caretaker":
      return { caretaken: including(caretaken, act.seat) };
    case "reclaimed":
      return { caretaken: without(caretaken, act.seat) };
    default:
      return {};
  }
}

const including = (seats, seat) => (seats.includes(seat) ? seats : [...seats, seat].sort((a, b) => a - b));
const without = (seats, seat) => seats.filter((each) => each !== seat);

/**
 * The plies of the game that led to the position after ply `last`: no acts, and nothing that was taken back.
 *
 * @param {ReadonlyArray<Ply|undefined>} plies
 * @param {number} last
 * @returns {Ply[]}
 */
export function inEffect(plies, last) {
  let line = [];
  for (const ply of plies.slice(0, last)) {
    const act = ply && actOf(ply.action);
    if (act?.kind === "back") {
      line = line.filter(({ number }) => number <= act.ply);
    } else if (ply && !act) {
      line.push(ply);
    }
  }
  return line;
}

/**
 * @param {ReadonlyArray<Ply|undefined>} plies
 * @param {number} number
 * @returns {Ply|null} what was played last in the position after a ply; an act is no move
 */
export function lastPlayed(plies, number) {
  const ply = plies[number - 1] ?? null;
  return ply && actOf(ply.action) ? (inEffect(plies, number).at(-1) ?? null) : ply;
}

/**
 * @param {ReadonlyArray<Ply|undefined>} plies
 * @param {number} seat
 * @returns {boolean} whether the last decision of a seat may be taken back: never across a throw of dice
 */
export function mayTakeBack(plies, seat) {
  for (const { seat: mover, action, dice } of inEffect(plies, plies.length).reverse()) {
    if (dice || departureOf(action)) {
      return false;
    }
    if (mover === seat) {
      return true;
    }
  }
  return false;
}
