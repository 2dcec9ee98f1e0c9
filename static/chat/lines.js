/**
 * The known lines of a chat. Pure.
 *
 * The list that the server sends when a connection opens replaces all earlier lines, so nothing is doubled or missed
 * after a reconnection; single lines follow in any order.
 *
 * @typedef {FromLobby.LineFields} Line
 */

/** Lines kept; the oldest are dropped. */
export const MOST = 200;

/** @template {Line} L of the lobby, or of a room */
export function chatLines() {
  /** @type {Map<number, L>} */
  let lines = new Map();
  /** Names of muted users. */
  let silenced = /** @type {Set<string>} */ (new Set());
  /** If set, only the lines of these users are shown. */
  let heard = /** @type {Set<string>|null} */ (null);

  /** @param {L} line */
  const wanted = ({ name }) => !silenced.has(name) && (heard?.has(name) ?? true);

  return {
    /** @param {{lines: L[], silenced: string[], heard: string[]|null}} list */
    replace(list) {
      lines = new Map(list.lines.map((line) => [line.id, line]));
      silenced = new Set(list.silenced);
      heard = list.heard && new Set(list.heard);
    },

    /** @param {L} line @returns {boolean} whether it is new and visible */
    add(line) {
      const isNew = !lines.has(line.id);
      lines.set(line.id, line);
      if (lines.size > MOST) {
        lines.delete(Math.min(...lines.keys()));
      }
      return isNew && wanted(line);
    },

    /** @param {number} id */
    drop(id) {
      lines.delete(id);
    },

    /** @param {string} old @param {string} name */
    rename(old, name) {
      lines = new Map([...lines].map(([id, line]) => [id, line.name === old ? { ...line, name } : line]));
      for (const names of [silenced, heard]) {
        if (names?.delete(old)) {
          names.add(name);
        }
      }
    },

    /** @param {string[]} names */
    silence(names) {
      silenced = new Set(names);
    },

    /** @returns {L[]} the visible lines, oldest first */
    shown: () => [...lines.values()].filter(wanted).sort((a, b) => a.id - b.id),
  };
}
