/**
 * The content of the action area: an optional sentence, and the buttons that can succeed now. Pure.
 *
 * The buttons have four places: beside the sentence, or instead of it; the row below; the menu, for everything that is
 * not urgent; and the sheet at the end. Both rows always keep their height.
 *
 * @typedef {object} Choices
 * @property {string} about the topic: a question, an absence ...; "" for none
 * @property {string} words "" if there are buttons instead
 * @property {number|null} left milliseconds until an offer ends
 * @property {number} next milliseconds until the result changes by time alone; Infinity if never
 * @property {import("./store.js").Offer|null} offer the offer that "accept", "decline" and "withdraw" refer to
 * @property {string} news what is announced once this appears
 * @property {string[]} beside
 * @property {string[]} row
 * @property {string[]} menu
 * @property {string[]} end
 *
 * @typedef {import("./absence.js").Absence} Absence
 * @typedef {import("./store.js").Known} Known
 * @typedef {{since: number, until: number}} Patience until when the claim for an absence stays hidden
 */

import { absence, absenceWords, countdown, idleSince, idleWords, noticedAt } from "./absence.js";
import { spoken } from "./clock.js";
import { playsAlone, thinking } from "./computers.js";
import { mayNow, playing } from "./may.js";
import { myOffer, myOfferWords, request, requestWords } from "./offers.js";
import { rematchLook } from "./rematch.js";
import { namesOf } from "./words.js";

/* global gettext */

/** @type {Choices} */
const NOTHING = { about: "", words: "", left: null, next: Infinity, offer: null, news: "", beside: [], row: [], menu: ["flip"], end: [] };
/** What a player always has during a match. */
const ALWAYS = { row: ["resign"], menu: ["flip", "resign"] };

/**
 * @param {Known} store
 * @param {number} now the server's time
 * @param {Patience|null} patience
 * @returns {Choices}
 */
export function choices(store, now, patience = null) {
  if (!playing(store)) {
    const { button, link } = rematchLook(store);
    const over = store.you !== null && store.live.outcome !== null && !link;
    const other = over && (playsAlone(store) ? "another-level" : "new-opponent");
    const end = [button !== null && "rematch", link && "rematch-link", other].filter((choice) => choice !== false);
    return { ...NOTHING, end };
  }
  if (mayNow(store).commands.includes("reclaim")) {
    const words = gettext("A bot is playing for you.");
    return { ...NOTHING, ...ALWAYS, about: "bot", words, news: words, beside: ["reclaim"] };
  }
  if (thinking(store) !== null) {
    // The computer's turn takes a moment, and an offer would be about another position.
    return { ...NOTHING, ...ALWAYS, about: "thinking" };
  }
  return asked(store, now) ?? asking(store, now) ?? idle(store, now, patience) ?? gone(store, now, patience) ?? halted(store) ?? calm(store, now, patience);
}

/** A player waits for my answer: no other button is shown. @param {Known} store @param {number} now */
function asked(store, now) {
  const offer = request(store, now);
  if (!offer) {
    return null;
  }
  const words = requestWords(offer, namesOf(store));
  const row = ["accept", "decline"];
  return { ...NOTHING, ...counting(offer.until - now), about: "asked", words, news: words, offer, row };
}

/** I wait for answers to my offer. @param {Known} store @param {number} now */
function asking(store, now) {
  const offer = myOffer(store, now);
  if (!offer) {
    return null;
  }
  const words = myOfferWords(offer, namesOf(store), store.you);
  const beside = ["withdraw"];
  return { ...NOTHING, ...ALWAYS, ...counting(offer.until - now), about: "asking", words, news: words, offer, beside };
}

/**
 * Nobody has moved for long, or resumed a saved match.
 *
 * @param {Known} store
 * @param {number} now
 * @param {Patience|null} patience
 */
function idle(store, now, patience) {
  const since = idleSince(store, now);
  if (since === null || borne({ since }, now, patience) !== null) {
    return null;
  }
  const { claim, offer } = mayNow(store);
  const words = idleWords(claim, namesOf(store)[store.live.state.turn]);
  const beside = [offer.includes("resume") ? "invite" : "wait"];
  return { ...NOTHING, about: "claim", words, news: words, beside, row: claimsOf(store) };
}

/** The claim buttons. @param {Known} store */
function claimsOf(store) {
  const { claim, offer } = mayNow(store);
  return [...claim.map((kind) => `claim-${kind}`), ...offer.filter((kind) => kind === "end")];
}

/** @param {Known} store @param {number} now @param {Patience|null} patience */
function gone(store, now, patience) {
  const absent = absence(store);
  if (!absent || now < noticedAt(absent) || borne(absent, now, patience) !== null) {
    return null;
  }
  const names = namesOf(store);
  const wait = absent.due - now;
  if (wait > 0) {
    const { next } = counting(wait);
    const news = absenceWords(absent, names, spoken(wait));
    return { ...NOTHING, ...ALWAYS, next, about: "gone", words: absenceWords(absent, names, countdown(wait)), news };
  }
  const words = absenceWords(absent, names, "");
  return { ...NOTHING, about: "claim", words, news: words, beside: ["wait"], row: claimsOf(store) };
}

/**
 * Until when the claim for an absence stays hidden; null if it is shown.
 *
 * @param {Pick<Absence, "since">} absent
 * @param {number} now
 * @param {Patience|null} patience
 */
const borne = ({ since }, now, patience) => (patience?.since === since && now < patience.until ? patience.until : null);

/** @param {Known} store */
function halted(store) {
  if (!mayNow(store).offer.includes("resume")) {
    return null;
  }
  const paused = store.flags.halted === "paused";
  const words = paused ? gettext("The match is paused.") : gettext("The match is saved for later.");
  return { ...NOTHING, ...ALWAYS, about: "halted", words, beside: [paused ? "resume" : "invite"] };
}

/**
 * Nothing is pending: the two most common actions, and the others in the menu.
 *
 * @param {Known} store
 * @param {number} now
 * @param {Patience|null} patience
 */
function calm(store, now, patience) {
  const { commands, offer } = mayNow(store);
  /** @type {Set<string>} */
  const open = new Set([...commands, ...offer]);
  // The second action depends on the match alone, so that it does not change under the finger. Computer players are
  // seldom offered a draw.
  const second = ["draw", "end", "pause"].find((kind) => open.has(kind) && !(kind === "draw" && playsAlone(store)));
  const beside = [open.has("abort") ? "abort" : "take-back", second ?? "save"].filter((kind) => open.has(kind));
  const menu = ["abort", "take-back", "draw", "pause", "save", "end"].filter((kind) => open.has(kind));
  const next = untilNoticed(absence(store), now, patience);
  return { ...NOTHING, next, beside, row: ALWAYS.row, menu: [...menu, ...ALWAYS.menu] };
}

/** @param {Absence|null} absent @param {number} now @param {Patience|null} patience */
function untilNoticed(absent, now, patience) {
  if (!absent) {
    return Infinity;
  }
  return (borne(absent, now, patience) ?? noticedAt(absent)) - now;
}

/** A countdown changes every second. @param {number} ms until the offer ends */
function counting(ms) {
  return { left: ms, next: ms % 1000 || 1000 };
}

/**
 * @param {string} choice a button
 * @param {Choices} shown the choices it was one of
 * @returns {Commands.Choice|null} its command; null if the page handles it
 */
export function commandFor(choice, { offer }) {
  switch (choice) {
    case "accept":
      return offer && { type: "offer", kind: offer.kind };
    case "decline":
    case "withdraw":
      return offer && { type: "decline", kind: offer.kind };
    case "invite":
      return { type: "offer", kind: "resume" };
    case "claim-win":
      return { type: "claim", kind: "win" };
    case "claim-draw":
      return { type: "claim", kind: "draw" };
    case "claim-abort":
      return { type: "claim", kind: "abort" };
    case "claim-caretaker":
      return { type: "claim", kind: "caretaker" };
    case "abort":
    case "reclaim":
    case "rematch":
      return { type: choice };
    case "draw":
    case "take-back":
    case "pause":
    case "save":
    case "resume":
    case "end":
      return { type: "offer", kind: choice };
    default:
      return null;
  }
}
