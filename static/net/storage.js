/** What the browser stores for this site. Where storage is full or disabled, nothing is kept and nothing fails. */

/** @returns {Storage|null} that of the tab; null if the browser forbids it */
export function sessionStorageOrNull() {
  try {
    return globalThis.sessionStorage ?? null;
  } catch {
    return null;
  }
}

/** @returns {Storage|null} that of the browser; null if the browser forbids it */
export function lastingStorageOrNull() {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}

/** @param {Storage|null} storage @param {string} key @returns {string|null} */
export function read(storage, key) {
  try {
    return storage?.getItem(key) ?? null;
  } catch {
    return null;
  }
}

/** @param {Storage|null} storage @param {string} key @param {string} text */
export function write(storage, key, text) {
  try {
    storage?.setItem(key, text);
  } catch {
    // It is full or disabled.
  }
}

/** @param {Storage|null} storage @param {string} key @returns {any} null if nothing is stored, or something else than JSON */
export function readJson(storage, key) {
  try {
    return JSON.parse(read(storage, key) ?? "null");
  } catch {
    return null;
  }
}

/** @param {Storage|null} storage @param {string} key @returns {any[]} empty if no list is stored */
export function readList(storage, key) {
  const stored = readJson(storage, key);
  return Array.isArray(stored) ? stored : [];
}

/** @param {Storage|null} storage @param {string} key @param {unknown} value */
export function writeJson(storage, key, value) {
  write(storage, key, JSON.stringify(value));
}
