/**
 * The page of a puzzle: the board, and the server's verdict on each move.
 *
 * @typedef {import("./line.js").Scene & {seat: number, names: string[]}} Start the data of the page; the user plays `seat`
 * @typedef {{right: boolean, words: string, move: string, plies: import("./line.js").Ply[], rating?: {before: number, after: number}}} Verdict
 */

import "../pages/page.js";
import { lastingStorageOrNull } from "../net/storage.js";
import { nameOfMove } from "../match/words.js";
import { getJson, postJson } from "../net/json.js";
import { moduleAt } from "../net/module.js";
import { byId, find, findAll } from "../parts/elements.js";
import { setting } from "../parts/settings.js";
import { createLine } from "./line.js";
import { setSolvedPuzzle } from "./solved.js";
import { daysUpTo, setSolved, shareWords, streakWords } from "./streak.js";

/* global gettext, interpolate */

const root = byId("puzzle");
/** @type {Start} */
const start = JSON.parse(byId("position").textContent ?? "");
const { address = "", board: drawing = "", day = "", today, key, rated, answer = "" } = root.dataset;
const storage = lastingStorageOrNull();

/** Accounts are rated. */
const ask = rated === undefined ? getJson : postJson;

begin(await moduleAt(drawing));

/** @param {number} days */
function streakUpTo(days) {
  return today === undefined ? "" : streakWords(days);
}

/** @param {{before: number, after: number}} rating */
function ratingWords({ before, after }) {
  const change = after < before ? `−${before - after}` : `+${after - before}`;
  return interpolate(gettext("Rating %(rating)s (%(change)s)"), { rating: after, change }, true);
}

/** @param {Boards.Module} module */
function begin(module) {
  const help = byId("help", HTMLButtonElement);
  const line = createLine(root, module, { ...start, onMove: (move) => judged(`moves/${encodeURIComponent(move)}`, move), onEnd: finish });
  const [share] = findAll(root, "[data-share]");
  const other = document.getElementById("other");
  let isAsking = false;
  let tries = 0;
  /** Whether the result stands: the right move was found, or the answer shown. */
  let isSettled = false;
  let verdict = "";
  let streak = streakUpTo(daysUpTo(storage, day));
  let rating = "";

  help.addEventListener("click", () => {
    if (line.isOver) {
      again();
    } else if (!isAsking) {
      void judged("answer", "");
    }
  });
  showBadge();
  root.removeAttribute("data-loading");
  line.begin(start);

  /** Ask the server to judge a move, or for the best one. @param {string} what @param {string} move */
  async function judged(what, move) {
    isAsking = true;
    byId("question").hidden = true;
    byId("verdict").textContent = gettext("Checking the answer…");
    line.wait(move);
    const { ok, told } = await ask(`${address}/${what}`);
    isAsking = false;
    byId("question").hidden = Boolean(ok && told?.plies.length);
    byId("verdict").textContent = "";
    line.wait(null);
    if (!ok || !told) {
      line.notice.refuse(told?.detail ?? gettext("Cannot reach the server. Try again later."));
      return;
    }
    tell(told);
  }

  /** @param {Verdict} told */
  function tell(told) {
    if (told.rating) {
      rating = ratingWords(told.rating);
      showBadge();
    }
    if (told.plies.length === 0) {
      tries += 1;
      line.notice.refuse(told.words);
      return;
    }
    if (told.right) {
      tries += 1;
      verdict = `${gettext("Right!")} ${told.words}`;
      found();
    } else {
      isSettled = true;
      const move = nameOfMove(told.move, module, start.state, { ...start, bottom: start.seat, outcome: null, pits: setting("pits") });
      verdict = `${answer.replace("{move}", move)} ${told.words}`;
    }
    line.notice.rest();
    line.play(told.plies, gettext("This puzzle is solved."));
  }

  /** The right move was found: it counts and can be shared, unless the answer had been shown. */
  function found() {
    if (isSettled) {
      return;
    }
    if (key !== undefined) {
      setSolvedPuzzle(storage, key);
    }
    const days = today === undefined ? 0 : setSolved(storage, day);
    if (share) {
      share.dataset.text = shareWords(share.dataset.title ?? "", tries, days);
    }
    streak = streakUpTo(days);
    showBadge();
    isSettled = true;
  }

  function showBadge() {
    const words = [streak, rating].filter(Boolean).join(" · ");
    byId("streak").textContent = words;
    byId("streak").hidden = !words;
  }

  function finish() {
    if (root.hasAttribute("data-solved")) {
      return;
    }
    root.setAttribute("data-solved", "");
    find(help, "[data-label]").textContent = gettext("Try again");
    byId("verdict").textContent = verdict;
    other?.classList.add("button-primary");
    line.narration.soon(`${line.told()} ${verdict}`);
  }

  /** Back to the start position. */
  function again() {
    root.removeAttribute("data-solved");
    find(help, "[data-label]").textContent = gettext("Show me");
    byId("verdict").textContent = "";
    byId("question").hidden = false;
    other?.classList.remove("button-primary");
    line.notice.rest();
    line.begin(start);
  }
}
