/** A finished match in a frame: the board, and buttons to step through the plies that the page contains. */

import { around } from "../parts/elements.js";
import { MiniBoard } from "../board/miniboard.js";
import { createPlayer } from "../board/player.js";
import { bindSwipe } from "../moves/swipe.js";
import { setting } from "../parts/settings.js";

/* global gettext */

/**
 * @typedef {object} Score
 * @property {Boards.State} start
 * @property {{ply: number, events: Boards.Event[], state: Boards.State}[]} plies
 * @property {Boards.Outcome|null} outcome
 */

/**
 * @param {{art: HTMLElement, steps: HTMLElement, play: HTMLButtonElement}} parts
 * @param {object} way
 * @param {Boards.Module} way.module
 * @param {{id: string, game: string, players: string[]}} way.match
 * @param {Score} way.score
 * @param {number} way.aspect width by height of the space for the board
 * @param {(shown: import("../board/miniboard.js").Shown) => void} way.onShown
 * @returns {{reshape: (aspect: number) => void}}
 */
export function createReplay({ art, steps, play }, { module, match, score, aspect, onShown }) {
  const last = score.plies.length;
  let shown = last;

  const player = createPlayer({
    where: () => ({ shown, last }),
    step,
    pace: () => 1,
    onChange(playing) {
      play.setAttribute("aria-pressed", String(playing));
      const words = playing ? gettext("Pause") : gettext("Replay");
      play.setAttribute("aria-label", words);
      play.title = words;
    },
  });

  /** The position after a ply; with the outcome at the last. @param {number} number */
  function at(number) {
    const outcome = number === last ? score.outcome : null;
    const before = { ply: 0, state: score.start, events: [] };
    return { match, outcome, ...(number ? score.plies[number - 1] : before) };
  }

  /** @param {number} to */
  function step(to) {
    const next = to === shown + 1;
    shown = Math.max(0, Math.min(last, to));
    if (next) {
      board.move(at(shown));
    } else {
      board.show(at(shown));
    }
    onShown(at(shown));
  }

  /** @param {string} way */
  function go(way) {
    /** @type {Record<string, number>} */
    const places = { first: 0, previous: shown - 1, next: shown + 1, last };
    player.stop();
    step(places[way]);
  }

  steps.addEventListener("click", (event) => {
    const way = around(event, "[data-go]")?.dataset.go;
    if (way) {
      go(way);
    }
  });
  bindSwipe(art, { may: () => true, onSwipe: go });
  play.addEventListener("click", () => player.toggle());

  const board = new MiniBoard(art, module, aspect, () => setting("speed"), () => player.rested());
  board.show(at(shown));
  onShown(at(shown));
  return { reshape: (shape) => board.reshape(shape) };
}
