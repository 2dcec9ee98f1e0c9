/**
 * A board without a match. It takes moves for one seat, by press, key or text, and shows a line of plies: one after the
 * other, as they would come in a match.
 *
 * @typedef {{number: number, events: Boards.Event[], state: Boards.State, outcome: Boards.Outcome|null}} Ply
 *
 * @typedef {object} Scene what the board shows before a move
 * @property {Boards.State} state
 * @property {Boards.Event[]} before the events of the move before
 * @property {string[]} legal
 * @property {number} [seat] who is to move, if not always the same seat
 * @property {number} [bottom] the seat at the bottom, likewise
 * @property {string[]} [names] of the players, likewise
 */

import { bindTypedMoves } from "../actions/typed-moves.js";
import { Board } from "../board/board.js";
import { createNotice } from "../match-page/notice.js";
import { byId } from "../parts/elements.js";
import { createNarration } from "../parts/narration.js";
import { setting } from "../parts/settings.js";
import { bindKeys } from "../parts/shortcuts.js";
import { signals } from "../parts/signals.js";
import { soundOf } from "../parts/sound.js";

/**
 * Binds the board of the page, which has the elements of templates/puzzles/_board.html.
 *
 * @param {HTMLElement} root gets the number of the shown ply as `data-ply`
 * @param {Boards.Module} module
 * @param {object} way
 * @param {number} way.seat
 * @param {string[]} way.names
 * @param {(move: string) => void} way.onMove a move on the board, or any typed text
 * @param {() => void} way.onEnd the last ply of the line is at rest
 */
export function createLine(root, module, { seat, names, onMove, onEnd }) {
  const narration = createNarration({ now: byId("say-soon"), soon: byId("say-soon") });
  const notice = createNotice(byId("notice"), () => "");
  /** @type {Scene} */
  let scene = { state: { turn: seat }, before: [], legal: [] };
  /** @type {Ply[]} */
  let plies = [];
  /** How many of them are shown or being animated. */
  let reached = 0;
  /** @type {string|null} */
  let waiting = null;
  /** @type {string|null} */
  let hint = null;
  /** Why no move can be made. @type {string|null} */
  let closed = null;

  const board = new Board(byId("board"), byId("controls"), module, {
    onMove,
    onRefusal: notice.refuse,
    onTaken: notice.rest,
    onSelected: narration.soon,
    speed: () => setting("speed"),
    onShown: shown,
    onEvents: (events) => signals(events.map(({ kind }) => soundOf(module, kind))),
  });
  const textKey = bindTypedMoves(root, module, { shown: () => ({ state: scene.state, sight: sight() }), onMove, refusal: () => closed });
  bindKeys([(key) => board.hotkey(key), textKey]);

  /** @returns {Boards.Sight} */
  const sight = () => ({ seat: scene.seat ?? seat, bottom: scene.bottom ?? seat, names: scene.names ?? names, legal: plies.length ? [] : scene.legal, outcome: null, pits: setting("pits") });

  /** @param {number} number */
  function at(number) {
    const ply = plies[number - 1] ?? null;
    return ply ? { state: ply.state, ply, last: ply } : { state: scene.state, ply: null, last: { number: 0, events: scene.before } };
  }

  /** @param {boolean} [leap] */
  function show(leap) {
    const outcome = plies.length > 0 && reached === plies.length ? (plies[reached - 1]?.outcome ?? null) : null;
    board.update({ ply: reached, at, view: { ...sight(), outcome }, plays: true, waiting, hint, blocked: closed }, leap);
  }

  /** One ply is shown: animate the next one. @param {number} ply */
  function shown(ply) {
    root.dataset.ply = String(ply);
    if (ply < plies.length && ply === reached && reached > 0) {
      reached += 1;
      show();
    } else if (ply > 0 && ply === plies.length) {
      onEnd();
    }
  }

  return {
    narration,
    notice,
    get legal() {
      return sight().legal;
    },
    get isOver() {
      return plies.length > 0;
    },

    /** Show a position and take a move. @param {Scene} next @param {string|null} [move] a move to highlight */
    begin(next, move = null) {
      scene = next;
      [plies, reached, hint, closed] = [[], 0, move, null];
      show(true);
    },

    /** Show the plies from the position on; then no more moves are taken. @param {Ply[]} line @param {string} why */
    play(line, why) {
      [plies, reached, hint, closed] = [line, 1, null, why];
      byId("answer").textContent = "";
      show();
    },

    /** Take no more moves. @param {string} why */
    close(why) {
      scene = { ...scene, legal: [] };
      closed = why;
      show();
    },

    /** A move waits for an answer, or none does. @param {string|null} move */
    wait(move) {
      waiting = move;
      show();
    },

    /** The position and its choices in words. */
    inWords: () => `${module.summary(scene.state, sight())} ${module.prompt(scene.state, sight())}`,

    /** The choices in words. */
    prompt: () => module.prompt(scene.state, sight()),

    /** What the plies did, in words. */
    told: () =>
      plies.flatMap(({ events }, index) => events.map((event) => module.narrate(event, sight(), at(index).state, events))).filter(Boolean).join(" "),
  };
}
