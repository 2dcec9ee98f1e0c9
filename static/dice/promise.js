/**
 * Storage key of a match's dice commitment, noted during the match and compared at the end.
 *
 * @param {string} match
 */

const nameOf = (match) => `parlour:promise:${match}`;

/**
 * Note a commitment; the first one is kept.
 *
 * @param {Storage|null} storage
 * @param {string} match its id
 * @param {string} commitment
 */
export function notePromise(storage, match, commitment) {
  try {
    if (storage?.getItem(nameOf(match)) === null) {
      storage.setItem(nameOf(match), commitment);
    }
  } catch {
    // Storage is full or disabled: the player may have noted the commitment on paper.
  }
}

/**
 * @param {Storage|null} storage
 * @param {string} match
 * @returns {string|undefined} the noted commitment, if any
 */
export function notedPromise(storage, match) {
  try {
    return storage?.getItem(nameOf(match)) ?? undefined;
  } catch {
    return undefined;
  }
}

/** @returns {Storage|null} null if the browser forbids it */
export function lastingStorageOrNull() {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}
