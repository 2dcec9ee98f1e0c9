/** The games on the front page: a board in small on each tile, and how many people wait there. */

/* global interpolate, ngettext */

import { findAll, part } from "../parts/elements.js";
import { createDemonstrations } from "../board/demonstrations.js";
import { mostWatchedFirst } from "./watch-order.js";

/** Width by height of the space of a board, as front.css has it. */
const ASPECT = 4 / 3;

/** @typedef {FromLobby.MatchFields} Match */

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
  /** What is on the tiles. @type {Map<string, Match>} */
  const shown = new Map();

  /**
   * Show on each tile a match of its game, or a demonstration while there is none.
   *
   * @param {object} now
   * @param {Match[]} now.matches to be watched
   * @param {ReadonlyMap<string, number>} now.counts how many watch them
   * @param {Match|null} now.featured
   * @param {ReadonlySet<string>} now.ending matches that are over, whose result is still shown
   */
  function show({ matches, counts, featured, ending }) {
    for (const { root, game, art } of tiles) {
      const before = shown.get(game);
      const match = before && ending.has(before.id) ? before : chosen(game, featured, mostWatchedFirst(matches, counts));
      part(root, "live").hidden = !match;
      if (match) {
        shown.set(game, match);
        demonstrations.take(art);
        boards.put(art, match.id, ASPECT);
      } else {
        shown.delete(game);
        boards.take(art);
        demonstrations.put(art, root.dataset);
      }
    }
  }

  /** @param {(game: string) => number} people how many one could play a game with at once */
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

/** @param {string} game @param {Match|null} featured @param {Match[]} matches the most watched first */
function chosen(game, featured, matches) {
  return featured?.game === game ? featured : matches.find((match) => match.game === game);
}
