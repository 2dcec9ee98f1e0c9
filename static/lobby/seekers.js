/** Open seeks as rows that others can join. The server renders the same rows in templates/lobby/_seek_row.html. */

/* global gettext, interpolate, ngettext */

import { find, part } from "../parts/elements.js";
import { tileName } from "./pairing-words.js";

/** @typedef {FromLobby.SeekersFields & {id: string}} Seekers */

/**
 * The seeks of other users.
 *
 * @param {FromLobby.SeekersFields[]} seeks
 * @param {FromPersonal.SeekFields|null} mine
 * @returns {Seekers[]}
 */
export function seekersBeside(seeks, mine) {
  /** @param {FromLobby.SeekersFields} each */
  const less = (each) => (mine && each.tile === tileName(mine) && each.rated === mine.rated ? 1 : 0);
  return seeks
    .map((each) => ({ ...each, id: `${each.tile} ${each.rated ? "yes" : "no"}`, people: each.people - less(each) }))
    .filter(({ people }) => people > 0);
}

/**
 * @param {HTMLElement} row
 * @param {Seekers} seekers
 * @param {{casual: string}} me why I play no rated match, "" if I may
 */
export function fillSeekers(row, { game, tile, rated, people }, me) {
  const why = rated ? me.casual : "";
  // The game's dialog has the texts for every tile.
  const words = document.querySelector(`[name=tile][value="${CSS.escape(tile)}"]`)?.getAttribute("data-words") ?? "";
  const title = document.querySelector(`#tiles [data-game="${game}"]`)?.getAttribute("data-title") ?? "";
  part(row, "title").textContent = title;
  part(row, "people").textContent = interpolate(
    ngettext("%(n)s person is waiting", "%(n)s people are waiting", people), { n: people }, true,
  );
  part(row, "words").textContent = words;
  part(row, "rated").textContent = rated ? gettext("Rated") : gettext("Casual");
  part(row, "why").textContent = why;
  part(row, "why").hidden = why === "";
  part(row, "play").hidden = why !== "";
  find(row, "[name=tile]", HTMLInputElement).value = tile;
  find(row, "[name=rated]", HTMLInputElement).value = rated ? "yes" : "no";
  find(row, "button").setAttribute("aria-label", interpolate(gettext("Play %(title)s: %(words)s"), { title, words }, true));
}

/**
 * How many users are ready to play a game now.
 *
 * @param {string} game
 * @param {Seekers[]} seekers
 * @param {FromLobby.TableFields[]} tables with other users
 */
export function peopleWaiting(game, seekers, tables) {
  const seeking = seekers.filter((each) => each.game === game).map(({ people }) => people);
  const sitting = tables.filter((table) => table.game === game).map(({ levels }) => levels.filter((level) => level === null).length);
  return [...seeking, ...sitting].reduce((sum, n) => sum + n, 0);
}
