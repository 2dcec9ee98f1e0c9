// @ts-nocheck Typed when this folder has been taken apart.
/** What stands around the board: players, headline, notice, move list. */

import { levelOf, thinking } from "../match/computers.js";
import { progress } from "./movelist.js";
import { createPlayers } from "./players.js";
import { myTurn, shownPly, stateAt } from "../match/store.js";
import { createTurnSignal } from "../parts/turn-signal.js";
import { headline, notationOf, reasonWords, wordsOf } from "../match/words.js";

/* global gettext */

const id = (name) => document.getElementById(name);

/** Set words only where they differ: live regions speak at every touch. */
function write(name, words) {
  const element = id(name);
  if (element.textContent !== words) {
    element.textContent = words;
  }
}

/**
 * @param {any} module of the board
 * @param {{title: string, moves: import("./movelist.js").MoveList}} page
 */
export function createAround(module, { title, moves }) {
  const players = createPlayers({ others: id("others"), mine: id("mine") });
  const signal = createTurnSignal(title);
  let standings = [];

  /** What tells how things stand waits for the board, so that nobody reads the end before seeing it. */
  function standing(store, view) {
    const { live, you, present, situation } = store;
    const shown = stateAt(store, shownPly(store));
    const words = headline(store);
    players.update({
      names: view.names,
      you,
      bottom: view.bottom,
      present,
      left: situation.left,
      caretaken: live.outcome ? [] : situation.caretaken,
      levels: view.names.map((_, seat) => levelOf(store, seat)),
      thinking: thinking(store),
      turn: live.outcome || situation.halted ? null : live.state.turn,
      winners: live.outcome?.winners ?? [],
      standings,
      tally: (seat) => module.tally?.(shown, seat, view) ?? "",
    });
    write("headline", words);
    id("headline").toggleAttribute("data-mine", myTurn(store));
    write("reason", explain(store, view));
    write("live", live.outcome ? gettext("To the end") : gettext("Back to live"));
    signal(words, myTurn(store));
  }

  /** How it ended, or what the move on the board did. */
  function explain(store, view) {
    if (view.outcome) {
      return reasonWords(store, module, view);
    }
    const ply = store.plies[shownPly(store) - 1];
    if (ply) {
      return wordsOf(store, ply, module, view);
    }
    return store.you === null ? gettext("You are watching.") : gettext("The starting position.");
  }

  /** What changes with the messages at once: the moves so far. */
  function passing(store, view) {
    const shown = shownPly(store);
    moves.update({
      plies: store.plies,
      shown,
      last: store.live.ply,
      behind: store.cursor !== null,
      names: view.names,
      notation: (ply) => notationOf(ply, module, view),
      words: (ply) => wordsOf(store, ply, module, view),
    });
    id("no-moves").hidden = store.plies.some(Boolean);
    write("progress", store.live.ply > 0 ? progress(shown, store.live.ply) : "");
  }

  /** Whose clock runs and how, for the words beside it. */
  function clocks(now) {
    standings = now;
  }

  return { standing, passing, clocks, clockOf: players.clockOf };
}

/**
 * The line below the board: why something was refused, what becomes of a move that cannot be sent,
 * who would like a rematch.
 *
 * @param {HTMLElement} notice a polite live region
 * @param {() => string} idle what it says when nothing was refused
 */
export function createNotice(notice, idle) {
  return {
    rest() {
      const words = idle();
      notice.dataset.tone = "";
      if (notice.textContent !== words) {
        notice.textContent = words;
      }
    },
    /** Something to know that nobody asked for. */
    tell(sentence) {
      notice.textContent = sentence;
      notice.dataset.tone = "";
    },
    refuse(sentence) {
      // The same sentence again must be a change, or nobody hears it.
      notice.textContent = notice.textContent === sentence ? `${sentence}\u00a0` : sentence;
      notice.dataset.tone = "refused";
    },
  };
}
