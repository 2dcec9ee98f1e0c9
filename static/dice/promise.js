/** The commitment to the dice of a match: noted during the match and compared at its end. */

import { read, write } from "../net/storage.js";

/** The storage key. @param {string} match */
const nameOf = (match) => `parlour:promise:${match}`;

/**
 * Note a commitment; the first one is kept.
 *
 * @param {Storage|null} storage
 * @param {string} match its id
 * @param {string} commitment
 */
export function notePromise(storage, match, commitment) {
  if (read(storage, nameOf(match)) === null) {
    write(storage, nameOf(match), commitment);
  }
}

/**
 * @param {Storage|null} storage
 * @param {string} match
 * @returns {string|undefined} the noted commitment, if any
 */
export function notedPromise(storage, match) {
  return read(storage, nameOf(match)) ?? undefined;
}
