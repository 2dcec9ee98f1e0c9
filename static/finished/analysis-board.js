/** The board of an analysis: any position of the match, chosen by its ply, with what the table says of it. */

import { MiniBoard } from "../board/miniboard.js";
import { setting } from "../parts/settings.js";

/* global gettext, interpolate */

/** Width by height of the board's space, as miniboard.css has it. */
const ASPECT = 4 / 3;

/**
 * What is said of a ply.
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
  const known = gettext("Ply %(ply)s: %(name)s played %(played)s, worth %(worth)s.");
  const sentences = [told.worth ? known : gettext("Ply %(ply)s: %(name)s played %(played)s.")];
  if (told.lost) {
    sentences.push(gettext("%(best)s was better; %(lost)s given away."));
  }
  return interpolate(sentences.join(" "), { ply, ...told }, true);
}

/**
 * @param {HTMLElement|null} root holds a place for the board, a sentence and a slider; null where there are none
 * @param {HTMLElement|null} analysis where the table and the curve are
 */
export function createStepper(root, analysis) {
  const range = root?.querySelector("input");
  const words = root?.querySelector("p");
  let positions = [];
  let board = null;

  async function begin() {
    const [answer, module] = await Promise.all([fetch(root.dataset.positions), import(root.dataset.board)]);
    ({ positions } = await answer.json());
    range.max = String(positions.length - 1);
    range.value = range.max;
    root.hidden = false;
    board = new MiniBoard(root.querySelector(".miniboard-art"), module, ASPECT, () => setting("speed"));
    range.addEventListener("input", show);
    show();
  }

  function show() {
    const ply = Number(range.value);
    const match = { players: JSON.parse(root.dataset.names) };
    board.move({ ...positions[ply], match, outcome: null });
    refresh();
  }

  /** Say and mark it once more, since the table or the curve may be new. */
  function refresh() {
    if (!board) {
      return;
    }
    const ply = Number(range.value);
    words.textContent = plyWords(ply, told(analysis.querySelector(`tr[data-ply="${ply}"]`)));
    range.setAttribute("aria-valuetext", words.textContent);
    const marker = analysis.querySelector(".analysis-marker");
    for (const end of ["x1", "x2"]) {
      marker?.setAttribute(end, String((ply / Math.max(1, positions.length - 1)) * 1000));
    }
  }

  if (root) {
    begin();
  }
  return { refresh };
}

/** The words of a row of the table. */
function told(row) {
  if (!row) {
    return null;
  }
  const of = (part) => row.querySelector(`[data-cell="${part}"]`)?.textContent.trim() ?? "";
  const played = row.querySelector("[data-cell=played] strong").textContent;
  const worth = row.hasAttribute("data-known") ? of("worth") : "";
  return { name: of("name"), played, worth, best: of("best"), lost: of("lost") };
}
