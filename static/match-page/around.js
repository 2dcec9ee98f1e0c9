/** The elements around the board: players, headline, move list. */

import { departures } from "../match/acts.js";
import { levelOf, thinking } from "../match/computers.js";
import { createPlayers } from "../players/strips.js";
import { vacationWords } from "../players/vacations.js";
import { myTurn, watches } from "../match/may.js";
import { shownPly, shownState } from "../match/store.js";
import { byId } from "../parts/elements.js";
import { createTurnSignal } from "../parts/turn-signal.js";
import { seatMark } from "../shapes/svg.js";
import { headline, notationOf, progress, reasonWords, shownHeadline, wordsOf } from "../match/words.js";

/* global gettext */

/** @typedef {import("../match/store.js").Known} Known */

/** Set text only if it differs: live regions speak after every write. @param {string} name @param {string} words */
function write(name, words) {
  const element = byId(name);
  if (element.textContent !== words) {
    element.textContent = words;
  }
}

/**
 * @param {Boards.Module} module
 * @param {{title: string, moves: import("../moves/list.js").MoveList}} page
 */
export function createAround(module, { title, moves }) {
  const players = createPlayers({ others: byId("others"), mine: byId("mine") }, module.mark ?? seatMark);
  const signal = createTurnSignal(title);
  /** @type {import("../match/clock.js").Standing[]} */
  let standings = [];

  /**
   * Everything that reveals the state waits for the board, so that the end is seen before it is read.
   *
   * @param {Known} store
   * @param {Boards.Sight} view
   */
  function standing(store, view) {
    const { live, match, you, present, flags } = store;
    const shown = shownState(store);
    const here = store.cursor === null;
    players.update({
      names: view.names,
      you,
      bottom: view.bottom,
      present: match.shared ? null : present,
      left: departures(store.plies, shownPly(store)),
      caretaken: live.outcome ? [] : flags.caretaken,
      levels: view.names.map((_, seat) => levelOf(store, seat)),
      thinking: thinking(store),
      turn: turnOf(store, shown),
      winners: here ? (live.outcome?.winners ?? []) : [],
      standings,
      slow: (match.clock?.per_move ?? 0) > 0,
      tally: (seat) => module.tally?.(shown, seat) ?? "",
    });
    write("headline", shownHeadline(store));
    byId("headline").toggleAttribute("data-mine", myTurn(store));
    const vacations = live.outcome ? "" : vacationWords(standings, view.names);
    write("reason", [explain(store, view), vacations].filter(Boolean).join(" "));
    write("live", live.outcome ? gettext("To the end") : gettext("Back to live"));
    signal(headline(store), you !== null && myTurn(store));
  }

  /**
   * Whose turn it is: now during the match, afterwards in the position on the board.
   *
   * @param {Known} store
   * @param {Boards.State} shown
   */
  function turnOf({ live, cursor, flags }, shown) {
    if (live.outcome) {
      return cursor === null ? null : shown.turn;
    }
    return flags.halted ? null : live.state.turn;
  }

  /** How the match ended, or what the move on the board did. @param {Known} store @param {Boards.Sight} view */
  function explain(store, view) {
    if (view.outcome) {
      return reasonWords(store, module, view);
    }
    const ply = store.plies[shownPly(store) - 1];
    if (ply) {
      const words = wordsOf(store, ply, module, view);
      // The headline may have said it: that a bot is playing, after it took over.
      return words === `${shownHeadline(store)}.` ? "" : words;
    }
    if (watches(store)) {
      return gettext("You are watching.");
    }
    return store.cursor === null ? module.prompt(store.live.state, view) : gettext("The starting position.");
  }

  /** What the players have on the board now: it counts with the pieces. @param {Boards.State} state */
  function counters(state) {
    players.count((seat) => module.tally?.(state, seat) ?? "");
  }

  /** The move list and the number of the move. @param {Known} store @param {Boards.Sight} view */
  function passing(store, view) {
    const shown = shownPly(store);
    moves.update({
      plies: store.plies,
      shown,
      last: store.live.ply,
      behind: store.cursor !== null,
      names: view.names,
      // A match from a file has dice, but no commitment.
      paired: view.names.length === 2 && !store.match.dice.commitment && !store.plies.some((ply) => ply?.dice),
      pits: view.pits,
      notation: (ply) => notationOf(ply, module, view),
      words: (ply) => wordsOf(store, ply, module, view),
    });
    byId("no-moves").hidden = store.plies.some(Boolean);
    write("progress", progress(store));
  }

  /** The clocks, for the text beside them. @param {import("../match/clock.js").Standing[]} now */
  function clocks(now) {
    standings = now;
  }

  return { standing, counters, passing, clocks, clockOf: players.clockOf };
}
