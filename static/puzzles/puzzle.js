/**
 * The page of the daily puzzle: the board, and the server's verdict on each move.
 *
 * @typedef {object} Start the data of the page
 * @property {Boards.State} state
 * @property {number} seat the seat on turn, which the user plays
 * @property {string[]} names
 * @property {string[]} legal
 * @property {Boards.Event[]} before the events of the move before the position
 *
 * @typedef {{number: number, events: Boards.Event[], state: Boards.State, outcome: Boards.Outcome|null}} Ply
 * @typedef {{right: boolean, words: string, plies: Ply[]}} Verdict
 */

import "../pages/page.js";
import { Board } from "../board/board.js";
import { createNotice } from "../match-page/notice.js";
import { moduleAt } from "../net/module.js";
import { byId, find } from "../parts/elements.js";
import { createNarration } from "../parts/narration.js";
import { setting } from "../parts/settings.js";
import { bindKeys } from "../parts/shortcuts.js";
import { signals } from "../parts/signals.js";
import { soundOf } from "../parts/sound.js";

/* global gettext */

const root = byId("puzzle");
/** @type {Start} */
const start = JSON.parse(byId("position").textContent ?? "");
const { address = "", board: drawing = "" } = root.dataset;

begin(await moduleAt(drawing));

/** @param {Boards.Module} module */
function begin(module) {
  const narration = createNarration({ now: byId("say-soon"), soon: byId("say-soon") });
  const notice = createNotice(byId("notice"), () => "");
  const help = byId("help", HTMLButtonElement);
  /** @type {Ply[]} */
  let plies = [];
  /** How many of them are shown or being animated. */
  let reached = 0;
  /** @type {string|null} */
  let waiting = null;
  let tried = false;
  let verdict = "";

  const board = new Board(byId("board"), byId("controls"), module, {
    onMove: (move) => judged(`moves/${encodeURIComponent(move)}`, move),
    onRefusal: notice.refuse,
    onTaken: notice.rest,
    onSelected: narration.soon,
    speed: () => setting("speed"),
    onShown: shown,
    onEvents: (events) => signals(events.map(({ kind }) => soundOf(module, kind))),
  });
  help.addEventListener("click", () => {
    if (plies.length > 0) {
      again();
    } else if (tried && waiting === null) {
      void judged("answer", "");
    } else {
      notice.refuse(gettext("Try a move first."));
    }
  });
  bindKeys([(key) => board.hotkey(key)]);
  root.removeAttribute("data-loading");
  show();

  /** @param {number} number */
  function at(number) {
    const ply = plies[number - 1] ?? null;
    return ply ? { state: ply.state, ply, last: ply } : { state: start.state, ply: null, last: { number: 0, events: start.before } };
  }

  /** @param {boolean} [leap] */
  function show(leap) {
    const over = plies.length > 0;
    /** @type {Boards.Sight} */
    const view = {
      seat: start.seat,
      bottom: start.seat,
      names: start.names,
      legal: over ? [] : start.legal,
      outcome: over && reached === plies.length ? (plies[reached - 1]?.outcome ?? null) : null,
      pits: setting("pits"),
    };
    const blocked = over ? gettext("This puzzle is solved.") : null;
    board.update({ ply: reached, at, view, plays: !over, waiting, blocked }, leap);
  }

  /** Ask the server to judge a move, or for the best one. @param {string} what @param {string} move */
  async function judged(what, move) {
    waiting = move;
    show();
    const answer = await fetch(`${address}/${what}`).catch(() => null);
    waiting = null;
    const told = await answer?.json().catch(() => null);
    if (!answer?.ok || !told) {
      notice.refuse(told?.detail ?? gettext("Cannot reach the server. Try again later."));
      show();
      return;
    }
    tell(told);
  }

  /** @param {Verdict} told */
  function tell(told) {
    tried = true;
    if (told.plies.length === 0) {
      notice.refuse(told.words);
      show();
      return;
    }
    plies = told.plies;
    verdict = told.right ? `${gettext("Right!")} ${told.words}` : told.words;
    reached = 1;
    show();
  }

  /** One ply is shown: animate the next one, or show the verdict. @param {number} ply */
  function shown(ply) {
    root.dataset.ply = String(ply);
    if (ply < plies.length && ply === reached && reached > 0) {
      reached += 1;
      show();
    } else if (ply > 0 && ply === plies.length) {
      finish();
    }
  }

  function finish() {
    if (root.hasAttribute("data-solved")) {
      return;
    }
    root.setAttribute("data-solved", "");
    find(help, "[data-label]").textContent = gettext("Try again");
    byId("verdict").textContent = verdict;
    const happened = plies.flatMap(({ events }, index) => events.map((event) => module.narrate(event, sight(), at(index).state, events)));
    narration.soon([...happened.filter(Boolean), verdict].join(" "));
    show();
  }

  const sight = () => ({ seat: start.seat, bottom: start.seat, names: start.names, legal: [], outcome: null, pits: setting("pits") });

  /** Back to the start position. */
  function again() {
    plies = [];
    reached = 0;
    root.removeAttribute("data-solved");
    find(help, "[data-label]").textContent = gettext("Show me");
    byId("verdict").textContent = "";
    notice.rest();
    show(true);
  }
}
