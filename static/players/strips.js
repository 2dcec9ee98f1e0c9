/** The players' strips: mark, name, presence, material, turn. */

import { clockElement } from "./clock-faces.js";
import { levelWords, shortLevelWords } from "../match/computers.js";
import { find } from "../parts/elements.js";
import { picture } from "../shapes/patch.js";
import { circle, path } from "../shapes/svg.js";
import { isDraw } from "../match/words.js";

/* global gettext */

/** A face with an aerial: the icon of a bot. */
const BOT = [path("M5 9h14v10H5zM12 9V5M9 16h6"), circle(12, 4, 1), circle(9, 13, 0.5), circle(15, 13, 0.5)];

/**
 * @typedef {import("../match/clock.js").Standing} Standing
 *
 * @typedef {object} Look
 * @property {string[]} names
 * @property {number|null} you
 * @property {number} bottom the nearest seat
 * @property {number[]|null} present null if unknown
 * @property {ReadonlyMap<number, string>} left the reasons by seat
 * @property {number[]} caretaken
 * @property {(number|null)[]} levels of computer players
 * @property {number|null} thinking
 * @property {number|null} turn
 * @property {number[]} winners
 * @property {Standing[]} standings empty without a clock
 * @property {boolean} slow whether the players have days for a move, so that nobody expects them at the board
 * @property {(seat: number) => string} tally
 */

/**
 * The seats as seen from `bottom`: the others in turn order, then `bottom`.
 *
 * @param {number} seats
 * @param {number} bottom
 */
export function around(seats, bottom) {
  return Array.from({ length: seats }, (_, i) => (bottom + 1 + i) % seats);
}

/**
 * @param {{others: HTMLElement, mine: HTMLElement}} places for the players opposite, and for the nearest
 * @param {typeof import("../shapes/svg.js").seatMark} mark draws what belongs to a seat
 */
export function createPlayers({ others, mine }, mark) {
  /** @type {HTMLElement[]} */
  let strips = [];
  return {
    /** The clock of a seat, if its strip exists. @param {number} seat */
    clockOf: (seat) => (seat in strips ? find(strips[seat], ".player-clock") : undefined),
    /** @param {Look} look */
    update(look) {
      if (strips.length !== look.names.length) {
        strips = look.names.map((name, seat) => strip(seat, name, mark));
      }
      const order = around(look.names.length, look.bottom);
      arrange(others, order.slice(0, -1).map((seat) => strips[seat]));
      arrange(mine, [strips[look.bottom]]);
      strips.forEach((element, seat) => dress(element, seat, look));
    },
    /** @param {Look["tally"]} tally */
    count: (tally) => strips.forEach((element, seat) => dressTally(element, tally(seat))),
  };
}

/** @param {HTMLElement} place @param {HTMLElement[]} elements */
function arrange(place, elements) {
  if (elements.some((element, i) => place.children[i] !== element) || place.children.length !== elements.length) {
    place.replaceChildren(...elements);
  }
}

/** @param {number} seat @param {string} name @param {typeof import("../shapes/svg.js").seatMark} mark */
function strip(seat, name, mark) {
  const element = document.createElement("div");
  element.className = "player";
  element.dataset.seat = String(seat);
  /** @param {string} className @param {(Node|string)[]} children */
  const part = (className, ...children) => {
    const made = document.createElement("span");
    made.className = className;
    made.append(...children);
    return made;
  };
  element.append(
    picture([mark(seat, 0, 0, 1)], "-1.3 -1.3 2.6 2.6", "player-mark"),
    part(
      "player-words",
      part("player-name", name),
      part("player-note", picture(BOT, "0 0 24 24", "icon player-bot"), part("waiting player-thinking"), part("player-note-words")),
    ),
    part("presence"),
    part("player-tally number"),
    clockElement(),
  );
  return element;
}

/** @param {HTMLElement} element @param {number} seat @param {Look} look */
function dress(element, seat, look) {
  const { names, you, present, left, caretaken, levels, turn, winners, standings, tally, slow } = look;
  const level = levels[seat];
  const computer = level !== null;
  const here = present === null || present.includes(seat);
  const gone = standings[seat]?.away
    ? gettext("on vacation")
    : goneWords(left.get(seat), caretaken.includes(seat), here || computer || slow);
  const thinks = look.thinking === seat;
  const note = [
    winners.includes(seat) && (isDraw(winners, names) ? gettext("draw") : gettext("won")),
    // Beside a clock there is space for one of them, and the clock shows the turn.
    thinks ? gettext("thinking") : turn === seat && !(gone && standings[seat]) && turnWords(standings[seat], you === seat),
    you === seat && turn !== seat && gettext("you"),
    gone !== "" && gone,
  ].filter((words) => words !== false);
  if (computer) {
    labelLevel(element, note, level, Boolean(standings[seat]));
  }
  element.toggleAttribute("data-bot", computer || caretaken.includes(seat));
  element.toggleAttribute("data-thinking", thinks);
  element.toggleAttribute("data-turn", turn === seat);
  element.toggleAttribute("data-won", winners.includes(seat));
  const presence = find(element, ".presence");
  presence.toggleAttribute("data-here", here);
  presence.hidden = present === null || computer || left.has(seat) || you === seat;
  write(find(element, ".player-note-words"), note.join(" · ") || idleWords(present !== null && here, turn));
  dressTally(element, tally(seat));
}

/** @param {HTMLElement} element @param {string} has */
function dressTally(element, has) {
  const tallied = find(element, ".player-tally");
  write(tallied, has);
  tallied.toggleAttribute("data-words", /\p{L}/u.test(has));
}

/**
 * Show the level of a computer player, in short form beside other text or a clock; the icon and its text alternative
 * say the rest.
 *
 * @param {HTMLElement} element
 * @param {string[]} note
 * @param {number} level
 * @param {boolean} timed
 */
function labelLevel(element, note, level, timed) {
  const short = note.length > 0 || timed;
  const robot = find(element, ".player-bot", SVGElement);
  if (note.length === 0 || !timed) {
    note.push(short ? shortLevelWords(level) : levelWords(level));
  }
  robot.setAttribute("aria-hidden", String(!short));
  robot.setAttribute("role", "img");
  robot.setAttribute("aria-label", gettext("computer"));
}

/**
 * Why a player is absent, "" if present.
 *
 * @param {string|undefined} left the reason, if they left for good
 * @param {boolean} caretaken
 * @param {boolean} here
 */
function goneWords(left, caretaken, here) {
  if (left !== undefined) {
    return leftWords(left);
  }
  if (caretaken) {
    return gettext("bot playing");
  }
  return here ? "" : gettext("away");
}

/**
 * The fallback text: that a player is present, or that it is not their turn.
 *
 * @param {boolean} present whether they are known to be
 * @param {number|null} turn
 */
function idleWords(present, turn) {
  if (present) {
    return gettext("here");
  }
  return turn === null ? "" : gettext("waiting");
}

/** @param {string} reason */
function leftWords(reason) {
  switch (reason) {
    case "resigned":
      return gettext("resigned");
    case "time":
      return gettext("out of time");
    default:
      return gettext("has left");
  }
}

/**
 * The text for the player on turn: with a clock, the most urgent one.
 *
 * @param {Standing|undefined} standing
 * @param {boolean} mine
 */
function turnWords(standing, mine) {
  if (standing?.first) {
    return mine ? gettext("Your first move") : gettext("first move");
  }
  if (standing?.low) {
    return gettext("low on time");
  }
  return mine ? gettext("Your turn") : gettext("to move");
}

/** @param {HTMLElement} element @param {string} words */
function write(element, words) {
  if (element.textContent !== words) {
    element.textContent = words;
  }
}
