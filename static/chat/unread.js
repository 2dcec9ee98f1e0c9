/**
 * Which lines somebody has not seen yet, room by room, also across a reload. Pure but for the storage.
 *
 * @typedef {{id: number, name: string, room: string}} Line
 */

/**
 * @param {string} name of the storage entry; one per match
 * @param {Storage|null} storage
 */
export function openUnread(name, storage) {
  /** The newest line seen of each room: another room may open late, with lines older than any seen. */
  const seen = new Map(read(name, storage));

  return {
    /** @param {Line[]} lines of one room, on the screen now */
    see(lines) {
      for (const { room, id } of lines) {
        seen.set(room, Math.max(id, seen.get(room) ?? 0));
      }
      try {
        storage?.setItem(name, JSON.stringify([...seen]));
      } catch {
        // Storage is full or switched off: after a reload old lines count as new.
      }
    },

    /** @param {Line[]} lines @param {string} me what I said is no news to me @returns {number} */
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
