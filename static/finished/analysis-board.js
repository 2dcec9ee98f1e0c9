/**
 * The board of an analysis: the position before each ply with the played and the better move. Any other legal move can be
 * tried; the server judges it by the stored evaluations.
 */

import { Board } from "../board/board.js";
import { nameOfMove } from "../match/words.js";
import { getJson } from "../net/json.js";
import { moduleAt } from "../net/module.js";
import { byId, find, findAll } from "../parts/elements.js";
import { say } from "../parts/narration.js";
import { setting } from "../parts/settings.js";
import { bindKeys } from "../parts/shortcuts.js";
import { drawTracks } from "./tracks.js";

/* global gettext, interpolate */

/**
 * @typedef {object} Position as the server sends it
 * @property {number} ply
 * @property {number} move the number of the move that led to it
 * @property {Boards.State} state
 * @property {Boards.Event[]} events
 * @property {string[]} legal
 *
 * @typedef {object} Told what the table tells about a ply
 * @property {string} name
 * @property {string} played
 * @property {string} move the notation of `played`
 * @property {string} better the notation of `best`
 * @property {string} worth
 * @property {string} best
 * @property {string} lost
 *
 * @typedef {{best: boolean, words: string, ply: {number: number, events: Boards.Event[], state: Boards.State}}} Tried
 */

/** What was played. @param {string} move in notation */
function playedWords(move) {
  switch (move) {
    case "roll":
      return gettext("Move %(number)s: %(name)s rolled.");
    case "stop":
      return gettext("Move %(number)s: %(name)s stopped.");
    case "swap":
      return gettext("Move %(number)s: %(name)s swapped sides.");
    default:
      return gettext("Move %(number)s: %(name)s played %(played)s.");
  }
}

/** What was better. @param {string} move in notation */
function betterWords(move) {
  switch (move) {
    case "roll":
      return gettext("Rolling was better; %(lost)s given away.");
    case "stop":
      return gettext("Stopping was better; %(lost)s given away.");
    case "swap":
      return gettext("Swapping sides was better; %(lost)s given away.");
    default:
      return gettext("%(best)s was better; %(lost)s given away.");
  }
}

/**
 * The sentence about the position before a ply.
 *
 * @param {number} number that of its move in the move list
 * @param {Told|null} told null if no player decided the ply
 */
export function plyWords(number, told) {
  if (!told) {
    return String(number);
  }
  const sentences = [playedWords(told.move)];
  if (told.worth) {
    sentences.push(gettext("Expected: %(worth)s."));
  }
  if (told.lost) {
    sentences.push(betterWords(told.better));
  }
  return interpolate(sentences.join(" "), { ...told, number }, true);
}

/**
 * @param {HTMLElement|null} place holds the board, a sentence, buttons and a slider; null without positions
 * @param {HTMLElement|null} page with the table, the curve and the moments
 */
export function createStepper(place, page) {
  if (!place || !page) {
    return { refresh: () => {}, show: () => false };
  }
  const { names = "", positions: address = "", onward = "", board: module = "", moves = "" } = place.dataset;
  const range = find(place, "input", HTMLInputElement);
  const words = byId("position-words");
  const again = byId("try", HTMLButtonElement);
  const ways = { previous: byId("previous-mistake", HTMLButtonElement), next: byId("next-mistake", HTMLButtonElement) };
  const links = findAll(place, "a[data-onward]", HTMLAnchorElement);
  const players = JSON.parse(names);
  /** @type {Position[]} */
  let positions = [];
  /** @type {Boards.Module} */
  let drawing;
  /** @type {Board|null} */
  let board = null;
  /** Whether the user looks for a move, so that the answer is not shown. */
  let seeking = false;
  /** @type {string|null} */
  let waiting = null;
  /** The position on the board. */
  let shown = -1;
  /** @type {Tried|null} */
  let tried = null;
  /** Whether the reader has chosen a position: until then the first turning point is shown. */
  let chosen = false;

  async function begin() {
    const [answer, loaded] = await Promise.all([fetch(address), moduleAt(module)]);
    ({ positions } = await answer.json());
    drawing = loaded;
    range.max = String(positions.length);
    const first = moments()[0] ?? mistakes()[0];
    range.value = String(first ?? positions.length);
    range.disabled = false;
    board = new Board(byId("board"), byId("controls"), loaded, {
      onMove: judged,
      onRefusal: tell,
      onShown: markButtons,
      speed: () => setting("speed"),
    });
    const hotkey = board.hotkey.bind(board);
    chosen = first !== undefined;
    range.addEventListener("input", () => go(Number(range.value)));
    again.addEventListener("click", seek);
    ways.previous.addEventListener("click", () => go(beside(-1)));
    ways.next.addEventListener("click", () => go(beside(1)));
    bindKeys([hotkey, onKey]);
    refresh();
  }

  /** The ply that is about to be played; one more than there are at the end. */
  const ply = () => Number(range.value);

  /** The row of a ply in the table, if a player decided it. @param {number} number */
  const rowOf = (number) => findAll(page, `tr[data-ply="${number}"]`)[0] ?? null;

  /** The plies that were mistakes, in order. */
  const mistakes = () => findAll(page, "tr[data-mistake]").map(({ dataset }) => Number(dataset.ply));

  /** The plies that decided the match, in order. */
  const moments = () => findAll(page, "[data-moment]").map(({ dataset }) => Number(dataset.moment));

  /** The next mistake in a direction, or where we are. @param {number} way */
  function beside(way) {
    const beyond = mistakes().filter((each) => (each - ply()) * way > 0);
    return (way > 0 ? beyond[0] : beyond.at(-1)) ?? ply();
  }

  /** The number of the position before the ply. */
  function before() {
    return Number(rowOf(ply())?.dataset.after ?? ply() - 1);
  }

  /** @param {string} key */
  function onKey(key) {
    /** @type {Record<string, HTMLButtonElement>} */
    const buttons = { p: ways.previous, n: ways.next, t: again };
    const button = buttons[key.toLowerCase()];
    button?.click();
    return button !== undefined;
  }

  /** Show the position before a ply, and say what was played and what was better. @param {number} number */
  function go(number) {
    [tried, seeking, waiting, chosen] = [null, false, null, true];
    range.value = String(number);
    refresh();
    say(byId("said"), words.textContent ?? "");
  }

  /** Hide the answer and take a move. */
  function seek() {
    [tried, seeking, chosen] = [null, true, true];
    refresh();
    (byId("controls").querySelector("button") ?? find(byId("board"), "[tabindex='0']")).focus();
    say(byId("said"), words.textContent ?? "");
  }

  /** @param {string} sentence */
  function tell(sentence) {
    words.textContent = sentence;
    say(byId("said"), sentence);
  }

  /** Ask the server what a move is worth. @param {string} move */
  async function judged(move) {
    waiting = move;
    draw();
    const asked = ply();
    const { ok, told } = await getJson(`${moves}/${before()}/moves/${encodeURIComponent(move)}`);
    if (asked !== ply() || waiting !== move) {
      return;
    }
    waiting = null;
    if (ok && told) {
      [tried, seeking] = [told, false];
      draw();
      const name = nameOfMove(move, drawing, positions[before()].state, sight());
      tell(`${told.best ? "★" : "✗"} ${name}: ${told.words}`);
    } else {
      draw();
      tell(told?.detail ?? gettext("Cannot reach the server. Try again later."));
    }
  }

  /** @returns {Boards.Sight} */
  function sight() {
    const { state, legal } = positions[before()];
    const seats = { seat: state.turn, bottom: 0, names: players, visitor: true };
    return { ...seats, legal: tried ? [] : legal, outcome: null, pits: setting("pits") };
  }

  /** @param {number} number */
  function at(number) {
    const known = tried && number === before() + 1 ? tried.ply : positions[number];
    if (!known) {
      return null;
    }
    const last = { number, events: known.events };
    return { state: known.state, ply: last, last };
  }

  function draw() {
    const number = before() + (tried ? 1 : 0);
    const leap = number !== shown + 1;
    shown = number;
    const position = {
      ply: number,
      at,
      view: sight(),
      plays: true,
      waiting,
      blocked: tried ? words.textContent : null,
      over,
    };
    for (const link of links) {
      link.href = `${onward.replace(/0$/, String(before()))}${link.dataset.onward}`;
    }
    board?.update(position, leap);
    markButtons();
  }

  /** The played and the better move, unless the user looks for one. @returns {[import("./tracks.js").Kind, string][]} */
  function marked() {
    const { played = "", better = "", known } = rowOf(ply())?.dataset ?? {};
    if (seeking || tried || !played) {
      return [];
    }
    return better ? [["played", played], ["better", better]] : [[known === undefined ? "played" : "better", played]];
  }

  /** The marked moves as lines over the board. @param {Boards.State} state @param {Boards.View} view */
  function over(state, view) {
    const unit = Math.max(...drawing.viewBox(state, view));
    return marked().map(([kind, move]) => drawTracks(drawing.tracks?.(move, state, view) ?? [], kind, unit));
  }

  /** The marked moves on the buttons of the game. */
  function markButtons() {
    for (const button of findAll(byId("controls"), "[data-move]")) {
      const kind = marked().find(([, move]) => move === button.dataset.move)?.[0];
      if (kind) {
        button.dataset.hint = kind;
      } else {
        delete button.dataset.hint;
      }
    }
  }

  /** Write the moves of the page as the board names them: the numbers of pits are a setting. */
  function nameMoves() {
    for (const move of findAll(page ?? document, "[data-move][data-after]")) {
      const { move: notation = "", after = "" } = move.dataset;
      const { state } = positions[Number(after)] ?? {};
      if (state) {
        move.textContent = nameOfMove(notation, drawing, state, { ...sight(), seat: state.turn });
      }
    }
  }

  /** The sentence about the position. */
  function inWords() {
    const { state } = positions[before()];
    if (ply() === positions.length) {
      return gettext("The match is over.");
    }
    if (seeking) {
      return interpolate(gettext("%(name)s to move"), { name: players[state.turn] }, true);
    }
    return plyWords(positions[ply()].move, told(rowOf(ply())));
  }

  /** Update the board, the moves, the sentence and the marks, since the table or the curve may have changed. */
  function refresh() {
    if (!board) {
      return;
    }
    if (!chosen && moments().length > 0) {
      chosen = true;
      range.value = String(moments()[0]);
    }
    nameMoves();
    draw();
    const row = rowOf(ply());
    again.disabled = !row?.hasAttribute("data-known");
    ways.previous.disabled = beside(-1) === ply();
    ways.next.disabled = beside(1) === ply();
    if (!tried) {
      words.textContent = inWords();
      range.setAttribute("aria-valuetext", words.textContent);
    }
    for (const moment of findAll(page ?? document, "[data-moment]")) {
      if (moment.dataset.moment === String(ply())) {
        moment.setAttribute("aria-current", "true");
      } else {
        moment.removeAttribute("aria-current");
      }
    }
    const marker = page?.querySelector(".analysis-marker");
    for (const end of ["x1", "x2"]) {
      marker?.setAttribute(end, String((Math.min(ply(), positions.length - 1) / Math.max(1, positions.length - 1)) * 1000));
    }
  }

  begin();
  return {
    refresh,
    /** @param {number} number @returns {boolean} whether there is a board */
    show(number) {
      if (board) {
        go(number);
        place.scrollIntoView({ block: "nearest" });
      }
      return board !== null;
    },
  };
}

/** The texts of a table row. @param {HTMLElement|null} row @returns {Told|null} */
function told(row) {
  if (!row) {
    return null;
  }
  /** @param {string} part */
  const of = (part) => row.querySelector(`[data-cell="${part}"]`)?.textContent?.trim() ?? "";
  const played = find(row, "[data-cell=played] strong").textContent ?? "";
  const worth = row.hasAttribute("data-known") ? of("worth") : "";
  const { played: move = "", better = "" } = row.dataset;
  return { name: of("name"), played, move, better, worth, best: of("best"), lost: of("lost") };
}
