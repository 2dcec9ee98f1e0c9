/**
 * The table in words: what happened, what to do, advice, the result and the notation.
 *
 * @typedef {import("./position.js").State} State
 * @typedef {import("./position.js").View} View
 * @typedef {import("./position.js").Event} Event
 */

import { say } from "../../words/sentences.js";
import { diceInAll, heldBy, isOver, mayThrow } from "./position.js";

/* global gettext, ngettext */

// Words

/** @param {string} sentence @param {number} count */
export const counted = (sentence, count) => say(sentence, { count });

/** The name of a seat; "You" for my own. @param {number} seat @param {View} view */
export const nameOf = (seat, view) => (seat === view.seat && !view.visitor ? gettext("You") : view.names[seat]);

/** @param {number} seat @param {State} state */
export function countWords(seat, state) {
  const held = heldBy(seat, state);
  if (!held) {
    return state.present[seat] ? gettext("no dice") : gettext("has left");
  }
  return counted(ngettext("%(count)s die", "%(count)s dice", held), held);
}

/** @param {State} state */
export function centreWords(state) {
  return say(gettext("Centre: %(count)s of %(total)s"), { count: state.centre, total: diceInAll(state) });
}

/** The dice of a seat in words. @param {number} seat @param {State} state @param {View} view */
function seatWords(seat, state, view) {
  const thrown = state.dice[seat].filter(Boolean);
  const showing = thrown.length ? [say(gettext("showing %(faces)s"), { faces: thrown.join(" ") })] : [];
  return [nameOf(seat, view), countWords(seat, state), ...showing];
}

/**
 * The same with the turn, for screen readers on the grid.
 *
 * @param {number} seat
 * @param {State} state
 * @param {View} view
 */
export function trayWords(seat, state, view) {
  const onTurn = !isOver(state, view) && state.turn === seat;
  const turn = mayThrow(seat, view) ? gettext("your turn, press to roll") : gettext("to move");
  return [...seatWords(seat, state, view), ...(onTurn ? [turn] : [])].join(", ");
}

/** @param {Event} event @param {View} view */
export function narrate(event, view) {
  const { seat, count } = event;
  const words = { name: view.names[seat], count };
  const mine = seat === view.seat;
  switch (event.kind) {
    case "thrown":
      return say(mine ? gettext("You rolled %(faces)s.") : gettext("%(name)s rolled %(faces)s."), { ...words, faces: event.faces.join(" ") });
    case "centred":
      return say(
        ngettext(
          "%(count)s ace went to the centre; dice in play: %(rest)s.",
          "%(count)s aces went to the centre; dice in play: %(rest)s.",
          count,
        ),
        { count, rest: event.in_play },
      );
    case "passed":
      return say(passedWords(event, view), { count, name: view.names[event.to] });
    case "handedover":
      return say(handedWords(event, view), { ...words, to: view.names[event.to] });
    case "turnended":
      return [say(endWords(event.why, mine), words), nextWords(event, view)].filter(Boolean).join(" ");
    default:
      return "";
  }
}

/** Twos are passed left and fives right. @param {Event} event @param {View} view */
function passedWords({ side, count, to }, view) {
  if (to === view.seat) {
    return side === "left"
      ? ngettext("%(count)s two went left to you.", "%(count)s twos went left to you.", count)
      : ngettext("%(count)s five went right to you.", "%(count)s fives went right to you.", count);
  }
  return side === "left"
    ? ngettext("%(count)s two went left to %(name)s.", "%(count)s twos went left to %(name)s.", count)
    : ngettext("%(count)s five went right to %(name)s.", "%(count)s fives went right to %(name)s.", count);
}

/** @param {Event} event @param {View} view */
function handedWords({ seat, to, count }, view) {
  if (to === view.seat) {
    return ngettext("%(count)s of %(name)s’s dice went to you.", "%(count)s of %(name)s’s dice went to you.", count);
  }
  return seat === view.seat
    ? ngettext("%(count)s of your dice went to %(to)s.", "%(count)s of your dice went to %(to)s.", count)
    : ngettext("%(count)s of %(name)s’s dice went to %(to)s.", "%(count)s of %(name)s’s dice went to %(to)s.", count);
}

/** Why a turn ended, "" if that has been said. @param {string} why @param {boolean} mine */
function endWords(why, mine) {
  switch (why) {
    case "nothing-moved":
      return gettext("Nothing moved.");
    case "no-dice":
      return mine ? gettext("You have no dice left.") : gettext("%(name)s has no dice left.");
    case "stopped":
      return mine ? gettext("You stopped.") : gettext("%(name)s stopped.");
    default:
      return "";
  }
}

/**
 * Who is next; my own turn is announced by the page, unless it follows my own.
 *
 * @param {Event} event
 * @param {View} view
 */
function nextWords({ seat, next }, view) {
  if (next === view.seat) {
    return next === seat ? gettext("You are next.") : "";
  }
  return say(gettext("%(name)s is next."), { name: view.names[next] });
}

/**
 * The choices of the player on turn.
 *
 * @param {State} state
 * @param {Boards.Sight} view
 */
export function prompt(state, { legal }) {
  const held = state.dice[state.turn].length;
  if (!legal.length) {
    return "";
  }
  return counted(legal.includes("stop")
    ? ngettext("Roll %(count)s die, or stop.", "Roll %(count)s dice, or stop.", held)
    : ngettext("Roll %(count)s die.", "Roll %(count)s dice.", held), held);
}

/**
 * Advice for a newcomer, where the rules leave no choice: what a roll does.
 *
 * @param {State} state
 * @param {Boards.Sight} view
 * @returns {Boards.Advice|null}
 */
export function coach(state, { legal }) {
  if (legal.length !== 1) {
    return null;
  }
  const words = rollInWords(state);
  return { move: "roll", words, told: words };
}

/** @param {State} state */
function rollInWords(state) {
  if (state.dice.flat().length === 1) {
    return state.options.last_ace === "wins"
      ? gettext("This is the last die: a 1 sends it to the centre, and you win.")
      : gettext("This is the last die: a 1 sends it to the centre, and you lose.");
  }
  return state.throws > 0
    ? gettext("Dice moved, so you roll again.")
    : gettext("Roll: a 1 goes to the centre, a 2 to your left, a 5 to your right.");
}

/** The position in words; the page says whose turn it is. @param {State} state @param {View} view */
export function summary(state, view) {
  const seats = view.names.map((_, seat) => seatWords(seat, state, view).join(", "));
  return `${[...seats, centreWords(state)].join("; ")}.`;
}

/** @param {State} state @param {number} seat */
export function tally(state, seat) {
  return countWords(seat, state);
}

/** The headline above says who won. @param {Boards.Outcome} outcome @param {View} view @param {State} state */
export function result(outcome, view, state) {
  if (outcome.reason !== "last-ace") {
    return "";
  }
  return state.turn === view.seat
    ? gettext("You sent the last die to the centre.")
    : say(gettext("%(name)s sent the last die to the centre."), { name: view.names[state.turn] });
}

/** Throws are listed by their faces. @param {Boards.Ply} ply */
export function notation(ply) {
  if (ply.dice) {
    return `[${ply.dice.join(" ")}]`;
  }
  return ply.action === "stop" ? gettext("stop") : "";
}

/**
 * The throw with the most aces.
 *
 * @param {Boards.Ply[]} plies
 * @param {Boards.Sight} view
 */
export function fact(plies, view) {
  const throws = /** @type {Event[]} */ (plies.flatMap(({ events }) => events)).filter(({ kind }) => kind === "centred");
  const [best] = throws.sort((a, b) => b.count - a.count);
  if (!best || best.count < 2) {
    return "";
  }
  return say(best.seat === view.seat
    ? gettext("Your best roll: %(count)s aces at once.")
    : gettext("Best roll: %(count)s aces at once, by %(name)s."), { count: best.count, name: view.names[best.seat] });
}
