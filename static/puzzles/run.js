/**
 * The page of a streak or a storm of puzzles: the board with one after the other. The server judges and keeps the time.
 *
 * @typedef {import("./line.js").Scene & {question: string}} Puzzle
 *
 * @typedef {object} Standing how the run stands
 * @property {string} results 1 or 0 for each puzzle that was answered, - for each that was skipped
 * @property {number} score
 * @property {number} combo
 * @property {number} best of the account, 0 without one
 * @property {number|null} left milliseconds of a storm
 * @property {boolean} runs whether the clock does
 * @property {boolean} over
 * @property {Puzzle} puzzle
 * @property {string|null} missed the address of the puzzles that were answered wrongly, when it is over
 */

import "../pages/page.js";
import { postJson } from "../net/json.js";
import { face } from "../match/clock.js";
import { moduleAt } from "../net/module.js";
import { byId, find } from "../parts/elements.js";
import { say } from "../words/sentences.js";
import { createLine } from "./line.js";

/* global gettext, ngettext */

const TICK_MS = 200;
/** From here on the clock is marked. */
const HURRY_MS = 10_000;
/** A combo is shown from so many on. */
const COMBO = 3;

const root = byId("run");
const { address = "", board = "" } = root.dataset;

begin(await moduleAt(board));

/** @param {string|undefined} result */
function verdictOf(result) {
  return { 1: gettext("Right!"), 0: gettext("Wrong.") }[result ?? ""] ?? "";
}

/** @param {Boards.Module} module */
function begin(module) {
  const line = createLine(root, module, { seat: 0, names: [], onMove: answer, onEnd: () => {} });
  const clock = byId("clock");
  /** @type {Standing} */
  let run = JSON.parse(byId("position").textContent ?? "");
  /** When a running clock is at zero, by the clock of the page. */
  let ends = 0;
  let isAsking = false;

  root.removeAttribute("data-loading");
  show(run);
  setInterval(tick, TICK_MS);

  /** @param {string} move */
  async function answer(move) {
    if (!isAsking && !run.over) {
      line.wait(move);
      const before = run.results.length;
      const told = await ask({ number: String(before), move });
      line.wait(null);
      if (told) {
        byId("verdict").textContent = verdictOf(told.results[before]);
        show(told);
      }
    }
  }

  /** Ask the server, which answers how the run stands. @param {Record<string, string>} fields @returns {Promise<Standing|null>} */
  async function ask(fields) {
    isAsking = true;
    const { ok, told } = await postJson(address, new URLSearchParams(fields));
    isAsking = false;
    if (!ok) {
      line.notice.refuse(told?.detail ?? gettext("Cannot reach the server. Try again later."));
    }
    return ok ? told : null;
  }

  /** @param {Standing} told */
  function show(told) {
    run = told;
    ends = performance.now() + (run.left ?? 0);
    byId("score").textContent = String(run.score);
    byId("combo").textContent = `×${run.combo}`;
    byId("combo").hidden = run.combo < COMBO;
    clock.hidden = run.left === null;
    root.dataset.number = String(run.results.length);
    line.notice.rest();
    tick();
    line.begin({ ...run.puzzle, bottom: run.puzzle.seat });
    byId("question").textContent = run.puzzle.question;
    if (run.over) {
      finish();
    }
    line.narration.soon([byId("verdict").textContent, byId("question").textContent, run.over ? "" : line.inWords()].join(" "));
  }

  function tick() {
    const left = run.runs ? Math.max(0, ends - performance.now()) : (run.left ?? 0);
    clock.textContent = face(left);
    root.toggleAttribute("data-hurry", run.runs && left < HURRY_MS);
    if (run.runs && left === 0 && !run.over && !isAsking) {
      void ask({}).then((told) => told && show(told));
    }
  }

  function finish() {
    const solved = say(ngettext("%(number)s puzzle solved.", "%(number)s puzzles solved.", run.score), { number: run.score });
    const best = run.best > 0 ? say(gettext("Your best: %(number)s."), { number: run.best }) : "";
    byId("question").textContent = [solved, best].filter(Boolean).join(" ");
    line.close(gettext("The run is over."));
    const missed = byId("missed", HTMLAnchorElement);
    missed.hidden = run.missed === null;
    missed.href = run.missed ?? "";
    byId("ways").hidden = false;
    find(byId("ways"), "#again").focus();
  }
}
