/**
 * Marks drawn by hand: a ring around a place of the board, or an arrow from one to another. A mark is the name of its
 * place, or both with ">" between: "a7>d7".
 */

import { cellsIn } from "../board/board.js";
import { drawTracks } from "../finished/tracks.js";
import { around } from "../parts/elements.js";

/** Part of a place that its ring has. */
const RING = 0.4;

/**
 * The marks as shapes over a position; those of places that it does not have are left out.
 *
 * @param {string[]} marks
 * @param {Boards.Module} module
 * @param {Boards.State} state
 * @param {Boards.View} view
 */
export function drawMarks(marks, module, state, view) {
  const cells = new Map(marks.length ? cellsIn(module.draw(state, view)).map((cell) => [cell.name, cell]) : []);
  const tracks = marks.map((mark) => mark.split(">").map((name) => cells.get(name))).filter((places) => places.every(Boolean));
  const spots = tracks.map((places) => places.map((cell) => spot(/** @type {import("../shapes/svg.js").Cell} */ (cell))));
  return drawTracks(spots.map((each) => ({ spots: each })), "marked", Math.max(...module.viewBox(state, view)));
}

/** @param {import("../shapes/svg.js").Cell} cell @returns {[number, number, number]} */
function spot({ box: [x, y, width, height] }) {
  return [x + width / 2, y + height / 2, RING * Math.min(width, height)];
}

/** The marks with one more, or without it if it is there. @param {string[]} marks @param {string} mark */
export const toggled = (marks, mark) => (marks.includes(mark) ? marks.filter((each) => each !== mark) : [...marks, mark]);

/**
 * Drawing: with the secondary mouse button, from place to place; else by a button that stays down, and two presses.
 *
 * @param {HTMLElement} board
 * @param {HTMLElement} button
 * @param {{may: () => boolean, onMark: (mark: string) => void}} way
 */
export function bindMarks(board, button, { may, onMark }) {
  /** The place where a mark begins. @type {string|null} */
  let from = null;
  const isOn = () => button.getAttribute("aria-pressed") === "true";

  button.addEventListener("click", () => {
    from = null;
    button.setAttribute("aria-pressed", String(!isOn()));
  });
  board.addEventListener("contextmenu", (event) => event.preventDefault());
  board.addEventListener("pointerdown", (event) => {
    from = event.button === 2 && may() ? placeOf(event.target) : from;
  });
  board.addEventListener("pointerup", (event) => {
    if (event.button === 2) {
      end(placeOf(document.elementFromPoint(event.clientX, event.clientY)));
    }
  });
  // Before the board takes them for moves.
  board.addEventListener("click", onPress, true);
  board.addEventListener("keydown", (event) => (event.key === "Enter" || event.key === " ") && onPress(event), true);

  /** @param {Event} event */
  function onPress(event) {
    const place = around(event, "[data-cell]")?.dataset.cell ?? null;
    if (!isOn() || !may()) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    if (from === null) {
      from = place;
    } else {
      end(place);
    }
  }

  /** @param {string|null} place */
  function end(place) {
    if (from !== null && place !== null) {
      onMark(place === from ? from : `${from}>${place}`);
    }
    from = null;
  }
}

/** @param {EventTarget|null} target */
function placeOf(target) {
  const cell = target instanceof Element ? target.closest("[data-cell]") : null;
  return cell instanceof HTMLElement ? (cell.dataset.cell ?? null) : null;
}
