/**
 * The board in words: what happened, what to do, who is ahead, and the result.
 *
 * @typedef {import("./position.js").State} State
 * @typedef {import("./position.js").View} View
 * @typedef {import("./position.js").Event} Event
 */

import { listed, oneOf, say } from "../../words/sentences.js";
import { isTray } from "./layout.js";
import { MEN, boardOf, isPlacing, lost, manOn } from "./position.js";

/* global gettext, ngettext */

/** @param {number} seat @param {View} view */
export function manWords(seat, view) {
  if (seat === view.seat) {
    return seat === 0 ? gettext("your white man") : gettext("your black man");
  }
  return say(seat === 0 ? gettext("%(name)s’s white man") : gettext("%(name)s’s black man"), { name: view.names[seat] });
}

/** @param {State} state @param {View} view */
export function summary(state, view) {
  const due = state.takes > 0 ? gettext("Take a man.") : "";
  return [sideWords(view.bottom, state, view), sideWords(1 - view.bottom, state, view), due].filter(Boolean).join(" ");
}

/** @param {number} seat @param {State} state @param {View} view */
function sideWords(seat, state, view) {
  const points = boardOf(state).points.filter((point) => manOn(state, point) === MEN[seat]);
  const words = { name: view.names[seat], points: listed(points) || gettext("no men on the board"), hand: state.hand[seat] };
  if (seat === view.seat) {
    return say(seat === 0
      ? gettext("You are white: %(points)s; in hand: %(hand)s.")
      : gettext("You are black: %(points)s; in hand: %(hand)s."), words);
  }
  return say(seat === 0
    ? gettext("%(name)s is white: %(points)s; in hand: %(hand)s.")
    : gettext("%(name)s is black: %(points)s; in hand: %(hand)s."), words);
}

/** Up to so many empty points are listed by name. */
const MOST_NAMED = 6;

/**
 * The choices of the player on turn; for a selected man, its destinations.
 *
 * @param {State} state
 * @param {Boards.Sight & {selection?: string|null}} view
 */
export function prompt(state, { legal, selection = null }) {
  const taken = legal.filter((move) => move.startsWith("x")).map((move) => move.slice(1));
  if (taken.length) {
    return say(gettext("Take the man on %(points)s."), { points: oneOf(taken) });
  }
  const ways = legal.filter((move) => move.includes("-")).map((move) => move.split("-"));
  if (selection !== null && !isTray(selection)) {
    const points = oneOf(ways.filter(([start]) => start === selection).map(([, to]) => to));
    return say(gettext("The man on %(start)s can go to %(points)s."), { start: selection, points });
  }
  const free = legal.filter(isPlacing);
  const movable = [...new Set(ways.map(([start]) => start))];
  return [
    free.length && placeWords(free),
    movable.length && say(free.length ? gettext("Or move the man on %(points)s.") : gettext("Move the man on %(points)s."), { points: oneOf(movable) }),
  ].filter(Boolean).join(" ");
}

/** @param {string[]} free */
function placeWords(free) {
  return free.length > MOST_NAMED
    ? say(ngettext("Place a man on any of the %(count)s empty point.", "Place a man on any of the %(count)s empty points.", free.length), { count: free.length })
    : say(gettext("Place a man on %(points)s."), { points: oneOf(free) });
}

/** @param {Event} event @param {View} view */
export function narrate(event, view) {
  return NARRATED[event.kind]?.(event, view, { ...event, name: view.names[event.seat] }) ?? "";
}

/** @type {Record<string, (event: Event, view: View, words: object) => string>} */
const NARRATED = {
  /** @param {Event} event @param {View} view @param {object} words */
  placed({ seat }, view, words) {
    return say(seat === view.seat ? gettext("You placed a man on %(point)s.") : gettext("%(name)s placed a man on %(point)s."), words);
  },
  /** @param {Event} event @param {View} view @param {object} words */
  slid({ seat }, view, words) {
    return say(seat === view.seat
      ? gettext("You slid a man from %(start)s to %(to)s.")
      : gettext("%(name)s slid a man from %(start)s to %(to)s."), words);
  },
  /** @param {Event} event @param {View} view @param {object} words */
  flew({ seat }, view, words) {
    return say(seat === view.seat
      ? gettext("You flew a man from %(start)s to %(to)s.")
      : gettext("%(name)s flew a man from %(start)s to %(to)s."), words);
  },
  /** @param {Event} event @param {View} view @param {object} words */
  milled({ seat, takes }, view, words) {
    const mine = seat === view.seat;
    if (takes === 0) {
      return say(mine
        ? gettext("You closed a mill, but no man can be taken.")
        : gettext("%(name)s closed a mill, but no man can be taken."), words);
    }
    return say(mine
      ? ngettext("You closed a mill: take a man.", "You closed two mills: take %(takes)s men.", takes)
      : ngettext("%(name)s closed a mill and takes a man.", "%(name)s closed two mills and takes %(takes)s men.", takes), words);
  },
  /** @param {Event} event @param {View} view @param {object} words */
  removed({ seat }, view, words) {
    if (seat === view.seat) {
      return say(gettext("You took the man on %(point)s."), words);
    }
    return say(view.seat === null ? gettext("%(name)s took the man on %(point)s.") : gettext("%(name)s took your man on %(point)s."), words);
  },
};

/**
 * The number of a seat's men, on the board and in hand: fewer than three lose.
 *
 * @param {State} state
 * @param {number} seat
 */
export function tally(state, seat) {
  const count = state.options.men - lost(state, seat);
  return say(ngettext("%(count)s man", "%(count)s men", count), { count });
}

/** @param {Boards.Outcome} outcome @param {View} view */
export function result(outcome, view) {
  const seat = 1 - outcome.winners[0];
  const mine = seat === view.seat;
  const sentence = {
    reduced: mine ? gettext("You have only two men left.") : gettext("%(loser)s has only two men left."),
    blocked: mine ? gettext("You have no legal moves.") : gettext("%(loser)s has no legal moves."),
    repetition: gettext("The same position came up three times."),
    fifty: gettext("No man was taken in fifty moves each."),
    full: gettext("All men are placed and no point is empty."),
  }[outcome.reason];
  return sentence ? say(sentence, { loser: view.names[seat] }) : "";
}

/**
 * A double mill; else the number of mills of each player.
 *
 * @param {Boards.Ply[]} plies
 * @param {Boards.Sight} view
 */
export function fact(plies, view) {
  const closings = /** @type {Event[]} */ (plies.flatMap(({ events }) => events)).filter(({ kind }) => kind === "milled");
  const double = closings.find((closing) => closing.mills.length > 1);
  if (double) {
    return double.seat === view.seat
      ? gettext("You closed two mills with one man.")
      : say(gettext("%(name)s closed two mills with one man."), { name: view.names[double.seat] });
  }
  const first = view.seat ?? 0;
  const [mine, theirs] = [first, 1 - first].map((seat) => closings.filter((closing) => closing.seat === seat).length);
  const words = { first: view.names[first], second: view.names[1 - first], mine, theirs };
  if (mine + theirs === 0) {
    return "";
  }
  return say(view.seat === null
    ? ngettext("%(first)s closed %(mine)s mill, %(second)s %(theirs)s.", "%(first)s closed %(mine)s mills, %(second)s %(theirs)s.", mine)
    : ngettext("You closed %(mine)s mill, %(second)s %(theirs)s.", "You closed %(mine)s mills, %(second)s %(theirs)s.", mine), words);
}
