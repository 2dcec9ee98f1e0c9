/**
 * Unacknowledged commands. They survive a reload and are resent with the same id (idempotent).
 *
 * @typedef {{type: string, id: string}} Command
 */

import { readList, writeJson } from "./storage.js";

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
  /** @type {Command[]} */
  let commands = readList(storage, name);
  // Commands survive a lost connection even if they are not stored.
  const write = () => writeJson(storage, name, commands);
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
