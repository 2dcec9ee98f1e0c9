/**
 * Boards on the front page that play a few plies by themselves while no match of their game is live.
 *
 * One board in view moves at a time, so that the page stays calm. They stand still if the user prefers reduced motion,
 * and at their end.
 */

import { MiniBoard } from "./miniboard.js";
import { getJson } from "../net/json.js";
import { moduleAt } from "../net/module.js";
import { isStill, setting } from "../parts/settings.js";
import { playerNames } from "../words/player-names.js";

/** Milliseconds until the next board moves. */
const PAUSE_MS = 2_200;

/**
 * @typedef {object} Demonstration games/pages/demonstrations.py
 * @property {Boards.State} start
 * @property {{ply: number, events: Boards.Event[], state: Boards.State}[]} plies
 */

/** @typedef {{board: MiniBoard|null, plies: import("./miniboard.js").Shown[], visible: boolean}} Place */

/** @param {number} aspect width by height of the spaces */
export function createDemonstrations(aspect) {
  /** @type {Map<HTMLElement, Place>} */
  const places = new Map();
  let next = 0;

  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      const place = target instanceof HTMLElement ? places.get(target) : null;
      if (place) {
        place.visible = isIntersecting;
      }
    }
  });

  /**
   * Start a demonstration in an element.
   *
   * @param {HTMLElement} element
   * @param {DOMStringMap} way the game, and the addresses of its board and its demonstration
   */
  function put(element, { game = "", board = "", demonstration = "" }) {
    if (!places.has(element)) {
      /** @type {Place} */
      const place = { board: null, plies: [], visible: false };
      places.set(element, place);
      observer.observe(element);
      load(element, place, { game, board, demonstration });
    }
  }

  /** Stop the demonstration in an element. @param {HTMLElement} element */
  function take(element) {
    places.get(element)?.board?.remove();
    places.delete(element);
    observer.unobserve(element);
  }

  /** @param {HTMLElement} element @param {Place} place @param {{game: string, board: string, demonstration: string}} way */
  async function load(element, place, { game, board, demonstration }) {
    const { ok, told } = await getJson(demonstration);
    if (!ok || !told) {
      return;
    }
    const module = await moduleAt(board);
    /** @type {Demonstration} */
    const played = told;
    if (places.get(element) !== place) {
      return;
    }
    const match = { id: game, game, players: playerNames(2) };
    place.board = new MiniBoard(element, module, aspect, () => setting("speed"));
    place.board.show({ match, ply: 0, state: played.start, outcome: null });
    place.plies = played.plies.map((ply) => ({ match, outcome: null, ...ply }));
  }

  function move() {
    const ready = isStill() ? [] : [...places.values()].filter(({ visible, plies }) => visible && plies.length > 0);
    const place = ready[next % ready.length];
    const ply = place?.plies.shift();
    if (ply) {
      place.board?.move(ply);
      next += 1;
    }
  }

  setInterval(move, PAUSE_MS);
  return { put, take };
}
