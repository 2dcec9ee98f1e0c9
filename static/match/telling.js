// @ts-nocheck Typed when this folder has been taken apart.
/** The match told to people who listen: moves as they come, and answers to what they ask. */

import { thinking } from "./computers.js";
import { mayNow, myTurn, playing } from "./may.js";
import { myOffer, request } from "./offers.js";
import { shownPly, stateAt } from "./store.js";
import { blockedWords, headline, progress, reasonWords, viewOf, wordsOf } from "./words.js";

/* global gettext */

/** Plies that are told one by one; who was away longer hears the last ones. */
const MOST_TOLD = 4;

/** What happened between two stores, and what it means for me. */
export function news(store, before, module, view) {
  const from = Math.max(before.live.ply, store.live.ply - MOST_TOLD);
  const fresh = store.plies.slice(from, store.live.ply).filter(Boolean);
  const told = fresh.map((ply) => wordsOf(store, ply, module, view));
  if (store.live.outcome) {
    told.push(headline(store) + ".", reasonWords(store, module, view));
  } else if (myTurn(store)) {
    told.push(headline(store) + ".");
  }
  return told.filter(Boolean).join(" ");
}

/** Where stepping through the moves has led. */
export function whereabouts(store, module, view) {
  const shown = shownPly(store);
  const ply = store.plies[shown - 1];
  return `${progress(shown, store.live.ply)}. ${ply ? wordsOf(store, ply, module, view) : ""}`;
}

/**
 * The words the text box knows; each returns what is to be said.
 *
 * @param {() => import("../match/store.js").Store} get
 * @param {any} module of the board
 * @param {object} way
 * @param {{press: () => void, asked: () => boolean}} way.resign
 * @param {() => string} way.clock all clocks in sentences
 * @param {() => number} way.now the server's time
 * @param {(fields: {type: string, kind?: string}) => void} way.send a command
 * @returns {Record<string, () => string>}
 */
export function createCommands(get, module, { resign, clock, now, send }) {
  const view = () => viewOf(get(), 0);

  /** What players alone may do; whether it can be done now, the server says best. */
  const act = (type, kind) => () => {
    const stopped = thinking(get()) !== null && type !== "reclaim";
    if (stopped || !playing(get())) {
      return blockedWords(get()) ?? "";
    }
    send(kind ? { type, kind } : { type });
    return "";
  };
  const answer = (type, offer) => (offer ? act(type, offer.kind)() : gettext("Nothing is on offer."));
  const claimable = () => (mayNow(get()).claim.includes("caretaker") ? "caretaker" : "win");

  return {
    board() {
      const summary = module.summary(stateAt(get(), shownPly(get())), view());
      return `${summary} ${headline(get())}.`;
    },
    last() {
      const ply = get().plies[shownPly(get()) - 1];
      return ply ? wordsOf(get(), ply, module, view()) : gettext("No moves yet.");
    },
    legal: () => blockedWords(get()) ?? (get().live.legal ?? []).join(", "),
    clock,
    abort: act("abort"),
    draw: act("offer", "draw"),
    takeback: act("offer", "take-back"),
    pause: act("offer", "pause"),
    save: act("offer", "save"),
    resume: act("offer", "resume"),
    end: act("offer", "end"),
    accept: () => answer("offer", request(get(), now())),
    decline: () => answer("decline", request(get(), now()) ?? myOffer(get(), now())),
    claim: () => act("claim", claimable())(),
    "claim draw": act("claim", "draw"),
    reclaim: act("reclaim"),
    resign() {
      if (!playing(get())) {
        return blockedWords(get()) ?? "";
      }
      resign.press();
      return resign.asked() ? gettext("Type resign again to resign.") : "";
    },
    help: () =>
      gettext(
        "Type a move as it stands in the move list. board: the position. last: the last move. legal: your moves. hint: what the best computer player would do, in casual matches. clock: the time left. abort: end a match that has not begun. draw, takeback, pause, save, resume, end: propose it to the others. accept, decline: answer them, or withdraw what you proposed. claim, claim draw: wait no longer for somebody who has left. reclaim: play again instead of the bot. resign: give up, after asking.",
      ),
  };
}
