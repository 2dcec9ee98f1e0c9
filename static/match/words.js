/** Sentences about a match. Pure. */

import { listed, say } from "../words/sentences.js";
import { actWords, departureWords, endWords } from "./act-words.js";
import { actOf, departureOf, isDeparture } from "./acts.js";
import { isWaking, levelOf } from "./computers.js";
import { myTurn, watches } from "./may.js";
import { moveInWords } from "./move-words.js";
import { shownPly, stateAt } from "./store.js";
import { movesUpTo } from "./turns.js";

/* global gettext */

/**
 * @typedef {import("./store.js").Known} Known
 * @typedef {import("./store.js").Ply} Ply
 *
 * @typedef {object} Topic the input of a headline
 * @property {{seats: {name: string, level?: number|null}[]}} match
 * @property {{state: Boards.State, outcome: Boards.Outcome|null, ply?: number}} live
 * @property {number|null} [waking]
 * @property {number|null} you
 * @property {Pick<import("./store.js").MatchFlags, "halted"|"caretaken">} flags
 */

const FROM_RIGHT_TO_LEFT = /[\u0590-\u08ff]/;

/**
 * The names for use in sentences: right-to-left names are isolated.
 *
 * @param {Pick<Topic, "match">} store
 */
export function namesOf(store) {
  return store.match.seats.map(({ name }) => (FROM_RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name));
}

/**
 * The view for a board module: the players and the legal moves.
 *
 * @param {Known} store
 * @param {number} turnedBy by how many seats the user turned the board
 * @param {Boards.Sight["pits"]} [pits] how pits are numbered
 * @returns {Boards.Sight}
 */
export function viewOf(store, turnedBy, pits) {
  const names = namesOf(store);
  const live = store.cursor === null;
  return {
    seat: store.you,
    bottom: ((store.you ?? 0) + turnedBy) % names.length,
    names,
    legal: blockedWords(store) === null ? (store.live.legal ?? []) : [],
    outcome: live ? store.live.outcome : null,
    pits,
  };
}

/**
 * The view for the board itself: in a hot-seat match the host plays for the seat on turn.
 *
 * @param {Known} store
 * @param {Boards.Sight} view
 * @returns {Boards.Sight}
 */
export function inHand(store, view) {
  const held = store.match.shared && !watches(store) && !store.live.outcome;
  return held ? { ...view, seat: store.live.state.turn } : view;
}

/**
 * The headline above the board: whose turn it is, that the match is paused, or the result.
 *
 * @param {Topic} store
 */
export function headline(store) {
  const { live, you, flags } = store;
  if (live.outcome) {
    return outcomeWords(live.outcome, namesOf(store), you);
  }
  if (flags.halted) {
    return flags.halted === "paused" ? gettext("Paused") : gettext("Saved for later");
  }
  const seat = live.state.turn;
  const name = namesOf(store)[seat];
  if (levelOf(store, seat) === null) {
    return turnWords(name, seat === you, flags.caretaken.includes(seat));
  }
  return isWaking(store) ? gettext("The computer is starting") : say(gettext("%(name)s is thinking"), { name });
}

/**
 * The headline for the position on the board: the result appears at the last ply only.
 *
 * @param {Known} store
 */
export function shownHeadline(store) {
  const back = store.cursor !== null && store.live.outcome !== null;
  return (back && progress(store)) || headline(store);
}

/** @param {string} name @param {boolean} mine @param {boolean} caretaken */
function turnWords(name, mine, caretaken) {
  if (caretaken) {
    return mine ? gettext("A bot is playing for you") : say(gettext("A bot is playing for %(name)s"), { name });
  }
  return mine ? gettext("Your turn") : say(gettext("%(name)s to move"), { name });
}

/** The result in a few words. @param {Boards.Outcome} outcome @param {string[]} names @param {number|null} you */
export function outcomeWords({ winners, reason }, names, you) {
  if (winners.length === 0) {
    return isWithoutResult(reason) ? gettext("No result") : gettext("Nobody won");
  }
  if (isDraw(winners, names)) {
    return gettext("Draw");
  }
  if (winners.length === 1) {
    return winners[0] === you ? gettext("You won") : say(gettext("%(name)s won"), { name: names[winners[0]] });
  }
  const others = winners.filter((seat) => seat !== you).map((seat) => names[seat]);
  const people = others.length < winners.length ? [gettext("You"), ...others] : others;
  return say(gettext("%(names)s won"), { names: listed(people) });
}

/** Whether the match does not count. @param {string} reason why it ended */
export const isWithoutResult = (reason) => ["aborted", "expired", "stopped"].includes(reason);

/** If all players won, it is a draw. @param {number[]} winners @param {string[]} names */
export const isDraw = (winners, names) => winners.length === names.length;

/**
 * Why a match ended, "" during the match; the board module explains the game's own reasons.
 *
 * @param {Known} store
 * @param {Boards.Module} board
 * @param {Boards.Sight} view
 */
export function reasonWords(store, board, view) {
  const { outcome, state } = store.live;
  if (!outcome) {
    return "";
  }
  return endWords(outcome.reason, store.plies, view) ?? board.result?.(outcome, view, state) ?? "";
}

/** Why no move is possible now, null if one is. @param {Known} store */
export function blockedWords(store) {
  const { live, you, cursor, flags } = store;
  if (live.outcome) {
    return gettext("The match is over.");
  }
  if (watches(store)) {
    return gettext("You are watching. Only the players can move.");
  }
  if (cursor !== null) {
    return gettext("You are viewing an earlier position. Go back to live to move.");
  }
  if (myTurn(store)) {
    return null;
  }
  if (flags.halted) {
    return flags.halted === "paused" ? gettext("The match is paused.") : gettext("The match is saved for later.");
  }
  if (you !== null && flags.caretaken.includes(you)) {
    return gettext("A bot is playing for you. Take your seat back to move.");
  }
  return say(gettext("It is %(name)s’s turn."), { name: namesOf(store)[live.state.turn] });
}

/**
 * The notation of a ply in the move list.
 *
 * @param {Ply & {state?: Boards.State}} ply
 * @param {Boards.Module} board
 * @param {Boards.Sight} view
 */
export function notationOf(ply, board, view) {
  const act = actOf(ply.action);
  if (act) {
    return actWords(act, ply, view);
  }
  const left = departureOf(ply.action);
  if (left) {
    return departureNotation(left.reason);
  }
  if (board.notation && ply.state) {
    return board.notation(ply, view, ply.state);
  }
  return ply.dice ? `[${ply.dice.join(" ")}]` : moveInWords(ply.action);
}

/** The notation of a departure. @param {string} reason */
function departureNotation(reason) {
  switch (reason) {
    case "resigned":
      return gettext("resigns");
    case "time":
      return gettext("out of time");
    default:
      return gettext("leaves");
  }
}

/**
 * The name of a legal move.
 *
 * @param {string} move
 * @param {Boards.Module} board
 * @param {Boards.State} state
 * @param {Boards.Sight} view
 */
export const nameOfMove = (move, board, state, view) => board.moveName?.(move, state, view) ?? moveInWords(move);

/**
 * The events of a ply in sentences; empty if the position before it is unknown.
 *
 * @param {Known} store
 * @param {Ply} ply
 * @param {Boards.Module} board
 * @param {Boards.Sight} view
 */
export function wordsOf(store, ply, board, view) {
  const before = stateAt(store, ply.number - 1);
  return before ? plyWords(ply, before, board, view) : "";
}

/** @param {Ply} ply @param {Boards.State} before @param {Boards.Module} board @param {Boards.Sight} view */
function plyWords(ply, before, board, view) {
  const act = actOf(ply.action);
  if (act) {
    return actWords(act, ply, view);
  }
  const sentences = ply.events.map((event) =>
    isDeparture(event) ? departureWords(event, view) : board.narrate(event, view, before, ply.events),
  );
  return sentences.filter(Boolean).join(" ");
}

/** The position within the match, "" before the first move. @param {Known} store */
export function progress(store) {
  const last = movesUpTo(store.plies, store.live.ply);
  return last > 0 ? say(gettext("Move %(shown)s of %(last)s"), { shown: movesUpTo(store.plies, shownPly(store)), last }) : "";
}
