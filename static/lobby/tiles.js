/** The games on the front page: a miniboard on each tile, and the number of waiting users. */

/* global interpolate, ngettext */

import { findAll, part } from "../parts/elements.js";
import { createDemonstrations } from "../board/demonstrations.js";

/** Aspect ratio of a board's space, as in front.css. */
const ASPECT = 8 / 5;

/**
 * @param {HTMLElement} list templates/lobby/_game_tile.html
 * @param {ReturnType<typeof import("../board/boards-on-show.js").createBoards>} boards
 */
export function createTiles(list, boards) {
  const tiles = findAll(list, "[data-game]").map((root) => ({
    root,
    game: root.dataset.game ?? "",
    art: part(root, "art"),
  }));
  const demonstrations = createDemonstrations(ASPECT);
  /** The match shown on each game's tile. @type {Map<string, string>} */
  const shown = new Map();

  /**
   * Show on each tile a live match of its game, or else a demonstration.
   *
   * @param {Readonly<Record<string, string>>} live the id of a live match, by its game
   * @param {ReadonlySet<string>} ending finished matches whose result is still shown
   */
  function show(live, ending) {
    for (const { root, game, art } of tiles) {
      const before = shown.get(game);
      const match = before !== undefined && ending.has(before) ? before : live[game];
      part(root, "live").hidden = match === undefined;
      if (match !== undefined) {
        shown.set(game, match);
        demonstrations.take(art);
        boards.put(art, match, ASPECT);
      } else {
        shown.delete(game);
        boards.take(art);
        demonstrations.put(art, root.dataset);
      }
    }
  }

  /** @param {(game: string) => number} people how many users are ready to play a game */
  function showWaiting(people) {
    for (const { root, game } of tiles) {
      const waiting = part(root, "waiting");
      const n = people(game);
      const words = n ? interpolate(ngettext("%(n)s waiting", "%(n)s waiting", n), { n }, true) : "";
      waiting.hidden = n === 0;
      if (waiting.textContent !== words) {
        waiting.textContent = words;
      }
    }
  }

  return { show, showWaiting };
}
