/**
 * Unread lines by room, kept across reloads. Pure except for the storage.
 *
 * @typedef {{id: number, name: string, room: string}} Line
 */

/**
 * @param {string} name of the storage entry; one per match
 * @param {Storage|null} storage
 */
export function openUnread(name, storage) {
  /** The newest seen line of each room: another room may open later, with older lines. */
  const seen = new Map(read(name, storage));

  return {
    /** @param {Line[]} lines of one room, now on the screen */
    see(lines) {
      for (const { room, id } of lines) {
        seen.set(room, Math.max(id, seen.get(room) ?? 0));
      }
      try {
        storage?.setItem(name, JSON.stringify([...seen]));
      } catch {
        // Storage is full or disabled: after a reload old lines count as unread.
      }
    },

    /** @param {Line[]} lines @param {string} me my own lines are not counted @returns {number} */
    count: (lines, me) => lines.filter((line) => line.name !== me && line.id > (seen.get(line.room) ?? 0)).length,
  };
}

/** @param {string} name @param {Storage|null} storage */
function read(name, storage) {
  try {
    const stored = JSON.parse(storage?.getItem(name) ?? "[]");
    return Array.isArray(stored) ? stored : [];
  } catch {
    return [];
  }
}
