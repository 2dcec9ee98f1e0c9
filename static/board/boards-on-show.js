/**
 * The miniboards in view, and the feed that updates them.
 *
 * A board that is scrolled away or in a hidden tab is not subscribed to.
 */

import { MiniBoard } from "./miniboard.js";
import { moduleAt } from "../net/module.js";
import { setting } from "../parts/settings.js";
import { openFeed } from "../net/socket.js";

/** Boards subscribed at once; see MOST_SHOWN in games/watch/board_messages.py. */
const MOST = 24;
/** Milliseconds. Boards come into view together: one message subscribes to all. */
const SETTLE = 60;
const AGAIN = 2_000;
/** Margin beyond the screen in which boards are subscribed to. */
const MARGIN = "150px";

/**
 * @param {object} way
 * @param {Record<string, string>} way.modules addresses of the board modules, by game
 * @param {(shown: import("./miniboard.js").Shown) => void} way.onShown a match was received or updated
 */
export function createBoards({ modules, onShown }) {
  /** @typedef {{id: string, aspect: number, board: MiniBoard|null, visible: boolean}} Place */
  /** @type {Map<HTMLElement, Place>} */
  const places = new Map();
  /** @type {Map<string, import("./miniboard.js").Shown>} */
  const known = new Map();
  /** @type {{send: (message: ToWatch.Message) => void}|null} */
  let feed = null;
  let timer = 0;

  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const place = target instanceof HTMLElement ? places.get(target) : null;
        if (place) {
          place.visible = isIntersecting;
        }
      }
      askSoon();
    },
    { rootMargin: MARGIN },
  );

  /**
   * Show a match in an element of a fixed size.
   *
   * @param {HTMLElement} element
   * @param {string} id
   * @param {number} aspect
   */
  function put(element, id, aspect) {
    if (places.get(element)?.id === id) {
      return;
    }
    take(element);
    places.set(element, { id, aspect, board: null, visible: false });
    observer.observe(element);
  }

  /** Stop showing a match in an element. @param {HTMLElement} element */
  function take(element) {
    places.get(element)?.board?.remove();
    places.delete(element);
    observer.unobserve(element);
    askSoon();
  }

  /** The aspect ratio of an element changed. @param {HTMLElement} element @param {number} aspect */
  function reshape(element, aspect) {
    const place = places.get(element);
    if (place) {
      place.aspect = aspect;
      place.board?.reshape(aspect);
    }
  }

  /** Drop elements that were removed from the page. */
  function prune() {
    [...places.keys()].filter((element) => !element.isConnected).forEach(take);
  }

  const visible = () => [...new Set([...places.values()].filter((place) => place.visible).map(({ id }) => id))];

  function askSoon(ms = SETTLE) {
    clearTimeout(timer);
    timer = setTimeout(ask, ms);
  }

  function ask() {
    const matches = visible().slice(0, MOST);
    [...known.keys()].filter((id) => !matches.includes(id)).forEach((id) => known.delete(id));
    if (feed) {
      feed.send({ type: "show", matches });
    } else if (matches.length > 0) {
      feed = openFeed({ name: "boards", onMessage: heard, onStatus });
    }
  }

  /** @param {import("../net/socket.js").Status} status */
  function onStatus(status) {
    if (status === "open") {
      // A new connection starts without subscriptions.
      askSoon(0);
    }
  }

  /** @param {FromWatch.Message} message */
  function heard(message) {
    switch (message.type) {
      case "shown":
        known.set(message.match.id, message);
        toEach(message.match.id, (board) => board.show(message));
        onShown(message);
        break;
      case "board":
        moved(message);
        break;
      case "not-shown":
        if (message.code === "unavailable") {
          askSoon(AGAIN);
        }
        break;
    }
  }

  /** @param {FromWatch.Board} board */
  function moved({ match, ...fields }) {
    const before = known.get(match);
    if (before && fields.ply > before.ply) {
      const now = { ...before, ...fields };
      known.set(match, now);
      toEach(match, (board) => board.move(now));
      onShown(now);
    }
  }

  /** @param {string} id @param {(board: MiniBoard) => void} show */
  function toEach(id, show) {
    for (const [element, place] of places) {
      if (place.id === id) {
        if (place.board) {
          show(place.board);
        } else {
          make(element, place);
        }
      }
    }
  }

  /** @param {HTMLElement} element @param {Place} place */
  async function make(element, place) {
    const game = known.get(place.id)?.match.game;
    if (game === undefined) {
      return;
    }
    const module = await moduleAt(modules[game]);
    const shown = known.get(place.id);
    if (shown && !place.board && places.get(element) === place) {
      place.board = new MiniBoard(element, module, place.aspect, () => setting("speed"));
      place.board.show(shown);
    }
  }

  return { put, take, reshape, prune };
}
