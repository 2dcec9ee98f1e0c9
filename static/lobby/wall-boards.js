/** The boards on a wall: their pictures, and all of them in turn where there are more than fit. */

import { findAll } from "../parts/elements.js";
import { refreshLive } from "../parts/refresh.js";

/** How often the pictures of boards in play are fetched anew, in milliseconds. */
const AGAIN = 8_000;

/** For how long the same boards are shown where there are more, in milliseconds. */
const TURN = 16_000;

/**
 * @param {string[]} all the boards, first those that are to be seen first
 * @param {ReadonlySet<string>} shown those that were shown since all had been
 * @param {number} room how many fit
 * @returns {string[]} those to show now: first those that were not shown yet
 */
export function nextBoards(all, shown, room) {
  return [...all.filter((id) => !shown.has(id)), ...all.filter((id) => shown.has(id))].slice(0, room);
}

/** Keep the pictures up to date, and show all boards in turn. */
export function bindBoards() {
  setInterval(() => figures().filter(isShown).forEach(fetchPicture), AGAIN);
  setInterval(turn, TURN);
  let shown = new Set(figures().filter(isShown).map(idOf));

  async function turn() {
    if (figures().every(isShown) || !(await refreshLive())) {
      return;
    }
    const boards = figures();
    const all = boards.map(idOf);
    const chosen = new Set(nextBoards(all, shown, Number(boards[0]?.parentElement?.dataset.room)));
    for (const board of boards) {
      const wasShown = isShown(board);
      board.toggleAttribute("data-resting", !chosen.has(idOf(board)));
      if (!wasShown && isShown(board)) {
        fetchPicture(board);
      }
    }
    shown = all.every((id) => shown.has(id) || chosen.has(id)) ? new Set() : new Set([...shown, ...chosen]);
  }
}

function figures() {
  return findAll(document, ".wall-boards > figure");
}

/** @param {HTMLElement} figure */
const idOf = (figure) => figure.dataset.id ?? "";

/** @param {HTMLElement} figure */
const isShown = (figure) => !figure.hasAttribute("data-resting");

/** @param {HTMLElement} figure */
function fetchPicture(figure) {
  for (const image of findAll(figure, "[data-picture]", HTMLImageElement)) {
    image.src = `${image.dataset.picture}?${Date.now()}`;
  }
}
