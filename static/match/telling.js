/** The match in words for screen readers: moves as they come, and answers to questions. */

import { listed } from "../words/sentences.js";
import { thinking } from "./computers.js";
import { mayNow, myTurn, playing } from "./may.js";
import { myOffer, request } from "./offers.js";
import { shownPly, shownState } from "./store.js";
import { blockedWords, headline, nameOfMove, progress, reasonWords, wordsOf } from "./words.js";

/* global gettext */

/** @typedef {import("./store.js").Known} Known */

/** Plies announced one by one; after a longer absence only the last ones. */
const MOST_TOLD = 4;

/** The meaning of "claim": the first possible one of these. @type {readonly FromMatch.MayFields["claim"][number][]} */
const CLAIMS = ["caretaker", "win", "abort"];

/**
 * The announcement of the changes between two stores.
 *
 * @param {Known} store
 * @param {import("./store.js").Store} before
 * @param {Boards.Module} module
 * @param {Boards.Sight} view
 */
export function news(store, before, module, view) {
  const from = Math.max(before.live.ply, store.live.ply - MOST_TOLD);
  const fresh = store.plies.slice(from, store.live.ply).filter((ply) => ply !== undefined);
  const told = fresh.map((ply) => wordsOf(store, ply, module, view));
  if (store.live.outcome) {
    const reason = reasonWords(store, module, view);
    // A departure has been announced already.
    told.push(headline(store) + ".", told.includes(reason) ? "" : reason);
  } else if (myTurn(store)) {
    told.push(turnBegan(store, before) ? `${headline(store)}.` : "", module.prompt(store.live.state, view));
  }
  return told.filter(Boolean).join(" ");
}

/**
 * Whether the current turn began since `before`: a turn of several moves is announced once.
 *
 * @param {Known} store
 * @param {import("./store.js").Store} before
 */
function turnBegan({ plies, live }, before) {
  const { turn } = live.state;
  const { halted, caretaken } = before.flags;
  const passed = [before.live.state, ...plies.slice(before.live.ply, live.ply - 1).map((ply) => ply?.state)];
  return halted !== null || caretaken.includes(turn) || passed.some((state) => state?.turn !== turn);
}

/**
 * The announcement on arrival: whose turn it is, and the choices.
 *
 * @param {Known} store
 * @param {Boards.Module} module
 * @param {Boards.Sight} view
 */
export function arrival(store, module, view) {
  // A thinking computer is announced elsewhere.
  if (!playing(store) || thinking(store) !== null) {
    return "";
  }
  const choices = myTurn(store) ? module.prompt(store.live.state, view) : "";
  return [`${headline(store)}.`, choices].filter(Boolean).join(" ");
}

/**
 * The announcement of the position reached by stepping through the moves.
 *
 * @param {Known} store
 * @param {Boards.Module} module
 * @param {Boards.Sight} view
 */
export function whereabouts(store, module, view) {
  const shown = shownPly(store);
  const ply = store.plies[shown - 1];
  return [progress(store) && `${progress(store)}.`, ply && wordsOf(store, ply, module, view)].filter(Boolean).join(" ");
}

/**
 * The commands of the text box; each returns its answer.
 *
 * @param {() => Known} get
 * @param {Boards.Module} module
 * @param {object} way
 * @param {() => Boards.Sight} way.view
 * @param {{press: () => void, asked: () => boolean}} way.resign
 * @param {() => string} way.clock all clocks in sentences
 * @param {() => number} way.now the server's time
 * @param {(command: Commands.Decision) => void} way.send
 * @returns {Record<string, () => string>}
 */
export function createCommands(get, module, { view, resign, clock, now, send }) {
  /**
   * A command for players only; the server decides whether it is possible now.
   *
   * @param {Commands.Decision} command
   */
  const act = (command) => () => {
    const stopped = thinking(get()) !== null && command.type !== "reclaim";
    if (stopped || !playing(get())) {
      return blockedWords(get()) ?? "";
    }
    send(command);
    return "";
  };
  /** @param {FromMatch.OfferFields["kind"]} kind */
  const offer = (kind) => act({ type: "offer", kind });
  const nothing = () => gettext("There is no offer to answer.");
  const claimable = () => CLAIMS.find((kind) => mayNow(get()).claim.includes(kind)) ?? "win";

  return {
    board() {
      const summary = module.summary(shownState(get()), view());
      return `${summary} ${headline(get())}.`;
    },
    last() {
      const ply = get().plies[shownPly(get()) - 1];
      return ply ? wordsOf(get(), ply, module, view()) : gettext("No moves yet.");
    },
    legal() {
      const { legal, state } = get().live;
      return blockedWords(get()) ?? listed((legal ?? []).map((move) => nameOfMove(move, module, state, view())));
    },
    clock,
    abort: act({ type: "abort" }),
    draw: offer("draw"),
    takeback: offer("take-back"),
    pause: offer("pause"),
    save: offer("save"),
    resume: offer("resume"),
    end: offer("end"),
    accept() {
      const asked = request(get(), now());
      return asked ? offer(asked.kind)() : nothing();
    },
    decline() {
      const open = request(get(), now()) ?? myOffer(get(), now());
      return open ? act({ type: "decline", kind: open.kind })() : nothing();
    },
    claim: () => act({ type: "claim", kind: claimable() })(),
    "claim draw": act({ type: "claim", kind: "draw" }),
    reclaim: act({ type: "reclaim" }),
    resign() {
      if (!playing(get())) {
        return blockedWords(get()) ?? "";
      }
      resign.press();
      return resign.asked() ? gettext("Type resign again to resign.") : "";
    },
    help: () =>
      gettext(
        "Type a move as it stands in the move list. board: the position. last: the last move. legal: your moves. hint: the best computer player’s move, in casual matches. clock: the time left. abort: end a match that has not begun. draw, takeback, pause, save, resume, end: propose it to the others. accept, decline: answer an offer, or withdraw yours. claim, claim draw: end a match that a player has left. reclaim: take over from the bot. resign: give up, after asking.",
      ),
  };
}
