/** The one match on the front page: a larger board where there is one, else a picture. */

/* global gettext, ngettext, interpolate */

import { part as partOf } from "../parts/elements.js";
import { namesInWords, playersInWords } from "../match/computers.js";
import { watchWords } from "../board/miniboard.js";

/** Width by height of its space, as miniboard.css has it. */
const ASPECT = 3 / 2;

/**
 * @param {HTMLElement} section templates/lobby/_featured.html
 * @param {ReturnType<typeof import("../board/boards-on-show.js").createBoards>} boards
 */
export function createFeatured(section, boards) {
  /** @param {string} name */
  const part = (name) => partOf(section, name, Element);
  const [link, picture] = ["link", "picture"].map(part);
  const art = partOf(section, "art");

  /**
   * @param {FromLobby.MatchFields|null} match null for none
   * @param {number} watchers
   * @param {string} result in words, "" while it goes on
   */
  return function show(match, watchers, result) {
    if (match) {
      link.setAttribute("href", `/m/${match.id}`);
      link.setAttribute("aria-label", watchWords(namesInWords(match), match.title));
      write("players", playersInWords(match));
      write("note", result || noteWords(match.title, watchers));
      boards.put(art, match.id, ASPECT);
    } else {
      link.removeAttribute("href");
      link.removeAttribute("aria-label");
      write("players", gettext("Nobody is playing at the moment."));
      write("note", "");
      boards.take(art);
      art.replaceChildren(picture);
    }
  };

  /** @param {string} name @param {string} words */
  function write(name, words) {
    if (part(name).textContent !== words) {
      part(name).textContent = words;
    }
  }
}

/** @param {string} title @param {number} count */
function noteWords(title, count) {
  const watching = ngettext("%(title)s · %(count)s watching", "%(title)s · %(count)s watching", count);
  return count ? interpolate(watching, { title, count }, true) : title;
}
