/**
 * The board in words: moves by their numbers, what happened, what to do, the result and the notation.
 *
 * @typedef {import("./position.js").State} State
 * @typedef {import("./position.js").View} View
 * @typedef {import("./position.js").Event} Event
 */

import { listed, oneOf, say } from "../../words/sentences.js";
import { pitsOf, placeOf, shownNumber, storeOf } from "./position.js";

/* global gettext, ngettext */

// Names of moves

/** @param {string} move @param {State} state @param {Boards.Sight} view */
export function moveName(move, state, view) {
  return move === "swap" ? gettext("swap") : String(shownNumber(state, placeOf(state, state.turn, Number(move)), view));
}

/**
 * A typed number is the displayed number of a pit; the server validates all other text.
 *
 * @param {string} typed
 * @param {State} state
 * @param {Boards.Sight} view
 * @returns {Boards.Answer}
 */
export function typedMove(typed, state, view) {
  const [first, last] = [1, pitsOf(state)].map((number) => shownNumber(state, placeOf(state, state.turn, number), view));
  if (!/^\d+$/.test(typed) || (Number(typed) >= first && Number(typed) <= last)) {
    return { move: typed };
  }
  return { refusal: say(gettext("Pit %(pit)s is not yours. Yours are %(first)s to %(last)s."), { pit: typed, first, last }) };
}

// Sentences

/** @param {Event} event @param {View} view @param {State} state */
export function narrate(event, view, state) {
  return NARRATED[event.kind]?.(event, view, state) ?? "";
}

/** @type {Record<string, (event: Event, view: View, state: State) => string>} */
const NARRATED = {
  /** @param {Event} event @param {View} view @param {State} state */
  sown({ seat, start, path: places }, view, state) {
    const count = places.length;
    const words = { name: view.names[seat], number: shownNumber(state, start, view), count };
    return seat === view.seat
      ? say(ngettext("You sowed %(count)s seed from pit %(number)s.", "You sowed %(count)s seeds from pit %(number)s.", count), words)
      : say(ngettext("%(name)s sowed %(count)s seed from pit %(number)s.", "%(name)s sowed %(count)s seeds from pit %(number)s.", count), words);
  },
  /** @param {Event} event @param {View} view */
  captured({ seat, seeds: count }, view) {
    const words = { name: view.names[seat], count };
    return seat === view.seat
      ? say(ngettext("You captured %(count)s seed.", "You captured %(count)s seeds.", count), words)
      : say(ngettext("%(name)s captured %(count)s seed.", "%(name)s captured %(count)s seeds.", count), words);
  },
  /** @param {Event} event @param {View} view */
  turnkept({ seat }, view) {
    return seat === view.seat
      ? gettext("The last seed landed in your store: you move again.")
      : say(gettext("The last seed landed in %(name)s’s store: another move."), { name: view.names[seat] });
  },
  /** @param {Event} event @param {View} view */
  swept({ seat, seeds: count }, view) {
    const words = { name: view.names[seat], count };
    return seat === view.seat
      ? say(ngettext("You keep the last %(count)s seed.", "You keep the last %(count)s seeds.", count), words)
      : say(ngettext("%(name)s keeps the last %(count)s seed.", "%(name)s keeps the last %(count)s seeds.", count), words);
  },
  /** @param {Event} event @param {View} view */
  swapped({ seat }, view) {
    return seat === view.seat ? gettext("You swapped sides.") : say(gettext("%(name)s swapped sides."), { name: view.names[seat] });
  },
};

/**
 * The pits that the player on turn can sow.
 *
 * @param {State} state
 * @param {Boards.Sight} view
 */
export function prompt(state, view) {
  const { legal } = view;
  const pits = legal.filter((move) => move !== "swap");
  const sow = pits.length === pitsOf(state)
    ? gettext("Sow any of your pits.")
    : say(gettext("Sow pit %(pits)s."), { pits: oneOf(pits.map((move) => moveName(move, state, view))) });
  return [pits.length > 0 && sow, pits.length < legal.length && gettext("Or swap sides.")].filter(Boolean).join(" ");
}

/** @param {State} state @param {View} view */
export function summary(state, view) {
  /** @param {number} seat */
  const side = (seat) => {
    const from = placeOf(state, seat, 1);
    const words = {
      name: view.names[seat],
      first: shownNumber(state, from, view),
      pits: listed(state.board.slice(from, from + pitsOf(state))),
      store: state.board[storeOf(state, seat)],
    };
    return seat === view.seat
      ? say(gettext("Your pits from %(first)s: %(pits)s; your store: %(store)s."), words)
      : say(gettext("%(name)s’s pits from %(first)s: %(pits)s; store: %(store)s."), words);
  };
  return `${side(view.bottom)} ${side(1 - view.bottom)}`;
}

/** @param {State} state @param {number} seat */
export function tally(state, seat) {
  return String(state.board[storeOf(state, seat)]);
}

/** @param {Boards.Outcome} outcome @param {View} view */
export function result(outcome, view) {
  if (outcome.reason !== "swept") {
    return "";
  }
  const first = view.seat ?? 0;
  const words = {
    first: view.names[first],
    second: view.names[1 - first],
    mine: outcome.scores[first],
    theirs: outcome.scores[1 - first],
  };
  return say(view.seat === null
    ? gettext("%(first)s collected %(mine)s seeds, %(second)s %(theirs)s.")
    : gettext("You collected %(mine)s seeds, %(second)s %(theirs)s."), words);
}

/**
 * The largest capture of a match.
 *
 * @param {(Boards.Ply & {number: number})[]} plies
 * @param {View} view
 * @param {(ply: number) => number} moveAt
 */
export function fact(plies, view, moveAt) {
  const captures = plies.flatMap(({ number, events }) =>
    /** @type {Event[]} */ (events).filter(({ kind }) => kind === "captured").map((event) => ({ ...event, number })),
  );
  const best = captures.reduce((most, each) => (each.seeds > most.seeds ? each : most), { seat: -1, seeds: 0, number: 0 });
  if (best.seeds === 0) {
    return "";
  }
  const words = { name: view.names[best.seat], count: best.seeds, move: moveAt(best.number) };
  return best.seat === view.seat
    ? say(ngettext("Your biggest capture: %(count)s seed, on move %(move)s.", "Your biggest capture: %(count)s seeds, on move %(move)s.", words.count), words)
    : say(ngettext("Biggest capture: %(count)s seed by %(name)s, on move %(move)s.", "Biggest capture: %(count)s seeds by %(name)s, on move %(move)s.", words.count), words);
}

/** @param {Boards.Ply} ply @param {Boards.Sight} view @param {State} state */
export function notation(ply, view, state) {
  const sown = /** @type {Event[]} */ (ply.events).find(({ kind }) => kind === "sown");
  return sown ? String(shownNumber(state, sown.start, view)) : gettext("swap");
}
