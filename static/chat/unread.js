/**
 * Unread lines by room, kept across reloads. Pure except for the storage.
 *
 * @typedef {{id: number, name: string, room: string}} Line
 */

import { readList, writeJson } from "../net/storage.js";

/**
 * @param {string} name of the storage entry; one per match
 * @param {Storage|null} storage
 */
export function openUnread(name, storage) {
  /** The newest seen line of each room: another room may open later, with older lines. */
  const seen = new Map(readList(storage, name));

  return {
    /** @param {Line[]} lines of one room, now on the screen */
    see(lines) {
      for (const { room, id } of lines) {
        seen.set(room, Math.max(id, seen.get(room) ?? 0));
      }
      writeJson(storage, name, [...seen]);
    },

    /** @param {Line[]} lines @param {string} me my own lines are not counted @returns {number} */
    count: (lines, me) => lines.filter((line) => line.name !== me && line.id > (seen.get(line.room) ?? 0)).length,
  };
}
