/** The board of an analysis: any position of the match by its ply, with the evaluation from the table. */

import { moduleAt } from "../net/module.js";
import { byId, find, findAll } from "../parts/elements.js";
import { MiniBoard, viewOf } from "../board/miniboard.js";
import { nameOfMove } from "../match/words.js";
import { setting } from "../parts/settings.js";

/* global gettext, interpolate */

/** Aspect ratio of the board's space, as in miniboard.css. */
const ASPECT = 4 / 3;

/**
 * The sentence about a ply.
 * @param {number} ply
 * @param {{name: string, played: string, worth: string, best: string, lost: string}|null} told the words of its row
 */
export function plyWords(ply, told) {
  if (ply === 0) {
    return gettext("The starting position.");
  }
  if (!told) {
    return interpolate(gettext("Ply %(ply)s."), { ply }, true);
  }
  const known = gettext("Ply %(ply)s: %(name)s played %(played)s. Expected: %(worth)s.");
  const sentences = [told.worth ? known : gettext("Ply %(ply)s: %(name)s played %(played)s.")];
  if (told.lost) {
    sentences.push(gettext("%(best)s was better; %(lost)s given away."));
  }
  return interpolate(sentences.join(" "), { ply, ...told }, true);
}

/** @typedef {Pick<import("../board/miniboard.js").Shown, "ply"|"state"|"events">} Position as the server sends it */

/**
 * @param {HTMLElement|null} place holds the board, a sentence and a slider; null without positions
 * @param {HTMLElement|null} page with the table, the curve and the moments
 */
export function createStepper(place, page) {
  if (!place || !page) {
    return { refresh: () => {}, show: () => false };
  }
  const { names = "", positions: address = "", board: module = "" } = place.dataset;
  const range = find(place, "input", HTMLInputElement);
  const words = find(place, "p");
  const match = { id: "", game: "", players: JSON.parse(names) };
  /** @type {Position[]} */
  let positions = [];
  /** @type {Boards.Module|null} */
  let drawing = null;
  /** @type {MiniBoard|null} */
  let board = null;

  /** @param {HTMLElement} root */
  async function begin(root) {
    const [answer, loaded] = await Promise.all([fetch(address), moduleAt(module)]);
    ({ positions } = await answer.json());
    drawing = loaded;
    range.max = String(positions.length - 1);
    range.value = range.max;
    range.disabled = false;
    board = new MiniBoard(find(root, ".miniboard-art"), loaded, ASPECT, () => setting("speed"));
    range.addEventListener("input", move);
    move();
  }

  /** @param {number} ply */
  const at = (ply) => ({ ...positions[ply], match, outcome: null });

  function move() {
    board?.move(at(Number(range.value)));
    refresh();
  }

  /**
   * Show a ply and its position, and say what was played and what was better.
   *
   * @param {number} ply
   * @returns {boolean} whether there is a board
   */
  function show(ply) {
    if (!board) {
      return false;
    }
    board.show(at(ply - 1));
    range.value = String(ply);
    move();
    place?.scrollIntoView({ block: "nearest" });
    byId("said").textContent = words.textContent;
    return true;
  }

  /** Write the moves of the page as the board names them: the numbers of pits are a setting. */
  function nameMoves() {
    for (const move of findAll(page ?? document, "[data-move]")) {
      const { move: notation = "", after = "" } = move.dataset;
      const position = at(Number(after));
      if (drawing && position.state) {
        move.textContent = nameOfMove(notation, drawing, position.state, viewOf(position));
      }
    }
  }

  /** Update the moves, the sentence and the marks, since the table or the curve may have changed. */
  function refresh() {
    if (!board) {
      return;
    }
    nameMoves();
    const ply = Number(range.value);
    words.textContent = plyWords(ply, told(page?.querySelector(`tr[data-ply="${ply}"]`) ?? null));
    range.setAttribute("aria-valuetext", words.textContent);
    for (const moment of findAll(page ?? document, "[data-moment]")) {
      if (moment.dataset.moment === String(ply)) {
        moment.setAttribute("aria-current", "true");
      } else {
        moment.removeAttribute("aria-current");
      }
    }
    const marker = page?.querySelector(".analysis-marker");
    for (const end of ["x1", "x2"]) {
      marker?.setAttribute(end, String((ply / Math.max(1, positions.length - 1)) * 1000));
    }
  }

  begin(place);
  return { refresh, show };
}

/** The texts of a table row. @param {Element|null} row */
function told(row) {
  if (!row) {
    return null;
  }
  /** @param {string} part */
  const of = (part) => row.querySelector(`[data-cell="${part}"]`)?.textContent?.trim() ?? "";
  const played = find(row, "[data-cell=played] strong").textContent ?? "";
  const worth = row.hasAttribute("data-known") ? of("worth") : "";
  return { name: of("name"), played, worth, best: of("best"), lost: of("lost") };
}
