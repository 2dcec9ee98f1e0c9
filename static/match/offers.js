// @ts-nocheck Typed when this folder has been taken apart.
/**
 * What players can agree on: what is on offer, what may be offered, and how that is said. Pure.
 *
 * The server decides (games/law/offers.py); here stands what is worth showing.
 *
 * @typedef {import("./store.js").Offer} Offer
 * @typedef {import("./store.js").Store} Store
 */

import { mayTakeBack } from "./acts.js";

/* global gettext, interpolate */

const say = (sentence, words) => interpolate(sentence, words, true);

/** @returns {boolean} whether I have a seat and still play in it, be it through a bot */
export function playing({ you, live, situation }) {
  return you !== null && !live.outcome && !situation.left.includes(you);
}

/** @returns {Offer[]} what is on offer in the newest position, at a moment of the server's */
export function openOffers({ offers, live }, now) {
  return offers.ply === live.ply && !live.outcome ? offers.open.filter(({ until }) => now < until) : [];
}

/** @returns {Offer|undefined} the first offer that waits for my answer */
export function request(store, now) {
  return openOffers(store, now).find(({ agreed }) => !agreed.includes(store.you));
}

/** @returns {Offer|undefined} the first offer that I made or agreed to */
export function myOffer(store, now) {
  return openOffers(store, now).find(({ agreed }) => agreed.includes(store.you));
}

/**
 * @param {Store} store
 * @returns {Set<string>} the kinds I may offer now, "abort" among them though nobody need agree to it
 */
export function offerable(store) {
  const { match, you, live, situation, plies } = store;
  if (!playing(store) || situation.caretaken.includes(you)) {
    return new Set();
  }
  if (situation.halted) {
    return new Set(["resume"]);
  }
  const seats = match.seats.length;
  const open = {
    abort: match.seats.some(({ seat }) => !situation.acted.includes(seat) && !situation.left.includes(seat)),
    "take-back": !match.rated && mayTakeBack(plies, you),
    draw: Boolean(match.draws) && seats === 2,
    end: seats > 2,
    pause: match.clock !== null && match.clock.per_move === 0,
    save: live.state.turn === you,
  };
  return new Set(Object.keys(open).filter((kind) => open[kind]));
}

/** What somebody else would like. */
export function requestWords({ kind, by }, names) {
  return say(asked()[kind], { name: names[by] });
}

function asked() {
  return {
    draw: gettext("%(name)s offers a draw."),
    "take-back": gettext("%(name)s would like to take a move back."),
    pause: gettext("%(name)s would like to pause the match."),
    save: gettext("%(name)s would like to save the match for later."),
    resume: gettext("%(name)s would like to go on with the match."),
    end: gettext("%(name)s would like to end the match as it stands."),
  };
}

/** What I wait for the others to agree to. */
export function myOfferWords({ kind, by }, names, you) {
  return by === you ? proposed()[kind] : say(gettext("You agreed with %(name)s."), { name: names[by] });
}

function proposed() {
  return {
    draw: gettext("You offered a draw."),
    "take-back": gettext("You asked to take a move back."),
    pause: gettext("You asked for a pause."),
    save: gettext("You asked to save the match."),
    resume: gettext("You invited the others to go on."),
    end: gettext("You asked to end the match as it stands."),
  };
}

/**
 * @param {Store} before
 * @param {Store} store the same position, with what is on offer now
 * @param {number} now
 * @returns {boolean} whether somebody has declined what I had offered
 */
export function declined(before, store, now) {
  const still = new Set(openOffers(store, now).map(({ kind }) => kind));
  const mine = openOffers(before, now).filter(({ by }) => by === store.you);
  return before.live.ply === store.live.ply && mine.some(({ kind }) => !still.has(kind));
}
