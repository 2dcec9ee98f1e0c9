/** Computer players: their seats, and how they are named. Pure. */

/* global gettext, interpolate */

/** @param {number} level */
export function levelWords(level) {
  return interpolate(gettext("computer, level %(level)s"), { level }, true);
}

/** The level, if the context says that it is a computer player. @param {number} level */
export function shortLevelWords(level) {
  return interpolate(gettext("level %(level)s"), { level }, true);
}

/**
 * The names of the players, with the level of computer players.
 *
 * @param {{players: string[], levels: (number|null)[]}} match from the lobby
 */
export function namesInWords({ players, levels }) {
  /** @param {string} name */
  const words = (name) => interpolate(gettext("%(name)s (computer)"), { name }, true);
  return players.map((name, i) => (levels[i] === null ? name : words(name)));
}

/** The names as one text. @param {{players: string[], levels: (number|null)[]}} match */
export const playersInWords = (match) => namesInWords(match).join(" – ");

/**
 * @param {{match: {seats: {level?: number|null}[]}}} store
 * @param {number} seat
 * @returns {number|null} the level of the computer player in a seat, null for a person
 */
export const levelOf = ({ match }, seat) => match.seats[seat].level ?? null;

/**
 * @param {import("./store.js").Known} store
 * @returns {number|null} the seat for which a computer is thinking, as a computer player or as a player's bot
 */
export function thinking(store) {
  const { live, flags } = store;
  if (live.outcome || flags.halted) {
    return null;
  }
  const seat = live.state.turn;
  return levelOf(store, seat) !== null || flags.caretaken.includes(seat) ? seat : null;
}

/**
 * @param {{live: {ply?: number}, waking?: number|null}} store
 * @returns {boolean} whether the computer on turn is not ready yet
 */
export const isWaking = ({ live, waking = null }) => waking !== null && waking === live.ply;

/**
 * @param {import("./store.js").Known} store
 * @returns {boolean} whether I play, and against computers only
 */
export function playsAlone(store) {
  const others = store.match.seats.filter(({ seat }) => seat !== store.you);
  return store.you !== null && others.every(({ seat }) => levelOf(store, seat) !== null);
}
