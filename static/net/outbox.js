/**
 * Unacknowledged commands. They survive a reload and are resent with the same id (idempotent).
 *
 * @typedef {{type: string, id: string}} Command
 */

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** @returns {string} a unique id of 22 random letters, digits, - and _ */
export function freshId(random = (/** @type {Uint8Array<ArrayBuffer>} */ bytes) => crypto.getRandomValues(bytes)) {
  return Array.from(random(new Uint8Array(22)), (byte) => ALPHABET[byte % 64]).join("");
}

/**
 * @param {string} name of the storage entry; one per match
 * @param {Storage|null} storage
 */
export function openOutbox(name, storage) {
  let commands = read(name, storage);
  const write = () => {
    try {
      storage?.setItem(name, JSON.stringify(commands));
    } catch {
      // Storage is full or disabled: commands still survive a lost connection.
    }
  };
  return {
    all: () => [...commands],
    /** @param {Command} command */
    add(command) {
      commands = [...commands, command];
      write();
    },
    /** @param {string|null} id */
    settle(id) {
      commands = id === null ? [] : commands.filter((command) => command.id !== id);
      write();
    },
  };
}

/** @param {string} name @param {Storage|null} storage @returns {Command[]} */
function read(name, storage) {
  try {
    const stored = JSON.parse(storage?.getItem(name) ?? "[]");
    return Array.isArray(stored) ? stored : [];
  } catch {
    return [];
  }
}

/** @returns {Storage|null} null if the browser forbids it */
export function sessionStorageOrNull() {
  try {
    return globalThis.sessionStorage ?? null;
  } catch {
    return null;
  }
}
