/**
 * The page of the daily puzzle: the board, and the server's verdict on each move.
 *
 * @typedef {import("./line.js").Scene & {seat: number, names: string[]}} Start the data of the page; the user plays `seat`
 * @typedef {{right: boolean, words: string, plies: import("./line.js").Ply[]}} Verdict
 */

import "../pages/page.js";
import { moduleAt } from "../net/module.js";
import { byId, find } from "../parts/elements.js";
import { createLine } from "./line.js";

/* global gettext */

const root = byId("puzzle");
/** @type {Start} */
const start = JSON.parse(byId("position").textContent ?? "");
const { address = "", board: drawing = "" } = root.dataset;

begin(await moduleAt(drawing));

/** @param {Boards.Module} module */
function begin(module) {
  const help = byId("help", HTMLButtonElement);
  const line = createLine(root, module, { ...start, onMove: (move) => judged(`moves/${encodeURIComponent(move)}`, move), onEnd: finish });
  let isAsking = false;
  let tried = false;
  let verdict = "";

  help.addEventListener("click", () => {
    if (line.isOver) {
      again();
    } else if (tried && !isAsking) {
      void judged("answer", "");
    } else {
      line.notice.refuse(gettext("Try a move first."));
    }
  });
  root.removeAttribute("data-loading");
  line.begin(start);

  /** Ask the server to judge a move, or for the best one. @param {string} what @param {string} move */
  async function judged(what, move) {
    isAsking = true;
    line.wait(move);
    const answer = await fetch(`${address}/${what}`).catch(() => null);
    const told = await answer?.json().catch(() => null);
    isAsking = false;
    line.wait(null);
    if (!answer?.ok || !told) {
      line.notice.refuse(told?.detail ?? gettext("Cannot reach the server. Try again later."));
      return;
    }
    tell(told);
  }

  /** @param {Verdict} told */
  function tell(told) {
    tried = true;
    if (told.plies.length === 0) {
      line.notice.refuse(told.words);
      return;
    }
    verdict = told.right ? `${gettext("Right!")} ${told.words}` : told.words;
    line.notice.rest();
    line.play(told.plies, gettext("This puzzle is solved."));
  }

  function finish() {
    if (root.hasAttribute("data-solved")) {
      return;
    }
    root.setAttribute("data-solved", "");
    find(help, "[data-label]").textContent = gettext("Try again");
    byId("verdict").textContent = verdict;
    line.narration.soon(`${line.told()} ${verdict}`);
  }

  /** Back to the start position. */
  function again() {
    root.removeAttribute("data-solved");
    find(help, "[data-label]").textContent = gettext("Show me");
    byId("verdict").textContent = "";
    line.notice.rest();
    line.begin(start);
  }
}
