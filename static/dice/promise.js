/**
 * The promise of a match's dice, noted while it is played so that it can be compared at the end.
 *
 * @param {string} match
 */

const nameOf = (match) => `parlour:promise:${match}`;

/**
 * Note a promise; the first one that was made stays.
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
    // Storage is full or switched off: the player may have noted the promise on paper.
  }
}

/**
 * @param {Storage|null} storage
 * @param {string} match
 * @returns {string|undefined} what was noted, if anything
 */
export function notedPromise(storage, match) {
  try {
    return storage?.getItem(nameOf(match)) ?? undefined;
  } catch {
    return undefined;
  }
}

/** @returns {Storage|null} null where the browser forbids it */
export function lastingStorageOrNull() {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}
