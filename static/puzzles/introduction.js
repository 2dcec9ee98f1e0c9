/**
 * The page that introduces a game, or teaches to play it well: it asks for one move after another, on the board of the game.
 *
 * @typedef {object} Own
 * @property {string} task
 * @property {string} told what the move did
 * @property {string} otherwise the answer to any other legal move
 * @property {boolean} isNew whether it begins in a position of its own
 * @property {Record<string, import("./line.js").Ply[]>} lines by right move the plies of it and of what follows
 *
 * @typedef {import("./line.js").Scene & Own} Lesson
 */

import "../pages/page.js";
import { lastingStorageOrNull } from "../net/storage.js";
import { moduleAt } from "../net/module.js";
import { byId, find } from "../parts/elements.js";
import { followingLesson, handOver, lessonsDone, setLessons } from "../parts/courses.js";
import { setIntroduced } from "../parts/introduced.js";
import { bindKeys } from "../parts/shortcuts.js";
import { createLine } from "./line.js";

/* global gettext, interpolate */

const NEXT_KEY = "n";

const root = byId("introduction");
/** @type {{seat: number, names: string[], aim: string, lessons: Lesson[]}} */
const { lessons, aim, ...players } = JSON.parse(byId("position").textContent ?? "");

const { board = "", game = "", course, done = "0" } = root.dataset;
const isCourse = course !== undefined;
const storage = lastingStorageOrNull();

begin(await moduleAt(board));

/** @param {Boards.Module} module */
function begin(module) {
  const next = byId("next", HTMLButtonElement);
  const line = createLine(root, module, { ...players, onMove: tried, onEnd: played });
  /** The lesson on the board. */
  let nth = 0;
  let isDone = false;

  next.addEventListener("click", () => ask(nth + 1));
  byId("again").addEventListener("click", () => ask(0));
  bindKeys([onward]);
  if (!isCourse) {
    setIntroduced(storage, game);
  }
  root.removeAttribute("data-loading");
  const reached = isCourse ? followingLesson(Math.max(Number(done), lessonsDone(storage, game)), lessons) : 0;
  show(reached);
  byId("question").textContent = lessons[reached].task;

  /** @param {string} key */
  function onward(key) {
    const wanted = key.toLowerCase() === NEXT_KEY && !next.hidden;
    if (wanted) {
      next.click();
    }
    return wanted;
  }

  /** Show a lesson. @param {number} number */
  function show(number) {
    nth = number;
    isDone = false;
    line.begin(lessons[nth], isCourse ? null : advised());
    root.dataset.lesson = String(nth + 1);
    byId("progress").textContent = interpolate(isCourse ? gettext("Lesson %(number)s of %(count)s") : gettext("Move %(number)s of %(count)s"), { number: nth + 1, count: lessons.length }, true);
  }

  /** The move to highlight: none if any will do. */
  function advised() {
    const { lines, legal } = lessons[nth];
    const moves = Object.keys(lines);
    return moves.length < legal.length || moves.length === 1 ? moves[0] : null;
  }

  /** Show a lesson in a position of its own, and say it. @param {number} number */
  function ask(number) {
    show(number);
    next.hidden = true;
    byId("ways").hidden = true;
    byId("verdict").textContent = "";
    byId("question").textContent = lessons[nth].task;
    line.notice.rest();
    find(byId("board"), "[tabindex='0']").focus();
    line.narration.soon(`${line.inWords()} ${lessons[nth].task}`);
  }

  /** @param {string} move */
  function tried(move) {
    const lesson = lessons[nth];
    const plies = lesson.lines[move];
    if (plies) {
      line.notice.rest();
      line.play(plies, gettext("Press Next to continue."));
    } else {
      const isLegal = line.legal.includes(move);
      line.notice.refuse(isLegal ? lesson.otherwise : line.prompt());
      line.wait(null);
      if (isLegal) {
        line.begin(lesson, advised());
      }
    }
  }

  /** The move and what follows it are on the board. */
  function played() {
    if (isDone) {
      return;
    }
    isDone = true;
    if (isCourse) {
      setLessons(storage, game, nth + 1);
      void handOver(storage, document.body.dataset.courses);
    }
    const { told } = lessons[nth];
    const following = lessons[nth + 1];
    const events = line.told();
    byId("verdict").textContent = following ? told : `${told} ${aim}`;
    byId("question").textContent = following && !following.isNew ? following.task : "";
    line.narration.soon([events, byId("verdict").textContent, byId("question").textContent].join(" "));
    if (!following) {
      byId("ways").hidden = false;
      byId("play-computer").focus();
    } else if (following.isNew) {
      next.hidden = false;
      next.focus();
    } else {
      show(nth + 1);
    }
  }
}
