/**
 * Offers between players, and their sentences. The server decides what may be offered. Pure.
 *
 * @typedef {import("./store.js").Offer} Offer
 * @typedef {import("./store.js").Store} Store
 * @typedef {Record<Offer["kind"], string>} Sentences
 */

import { say } from "../words/sentences.js";
import { mayNow } from "./may.js";

/* global gettext */

/**
 * @param {Pick<Store, "offers"|"live">} store
 * @param {number} now the server's time
 * @returns {Offer[]} the open offers in the newest position
 */
function openOffers({ offers, live }, now) {
  return offers.ply === live.ply && !live.outcome ? offers.open.filter(({ until }) => now < until) : [];
}

/** @param {Store} store @param {number} now @returns {Offer|undefined} the first offer that waits for my answer */
export function request(store, now) {
  const { agree } = mayNow(store);
  return openOffers(store, now).find(({ kind, agreed }) => agree.includes(kind) && !has(agreed, store.you));
}

/** @param {Store} store @param {number} now @returns {Offer|undefined} the first offer that I made or agreed to */
export function myOffer(store, now) {
  return openOffers(store, now).find(({ agreed }) => has(agreed, store.you));
}

/** @param {number[]} seats @param {number|null} seat */
const has = (seats, seat) => seat !== null && seats.includes(seat);

/** The sentence for another player's offer. @param {Offer} offer @param {string[]} names by seat */
export function requestWords({ kind, by }, names) {
  return say(asked()[kind], { name: names[by] });
}

/** @returns {Sentences} */
function asked() {
  return {
    draw: gettext("%(name)s offers a draw."),
    "take-back": gettext("%(name)s asks to take back a move."),
    pause: gettext("%(name)s proposes a pause."),
    save: gettext("%(name)s proposes to save the match for later."),
    resume: gettext("%(name)s invites you to resume the match."),
    end: gettext("%(name)s proposes to end the match now."),
  };
}

/** The sentence for my open offer. @param {Offer} offer @param {string[]} names by seat @param {number|null} you */
export function myOfferWords({ kind, by }, names, you) {
  return by === you ? proposed()[kind] : say(gettext("You accepted %(name)s’s offer."), { name: names[by] });
}

/** @returns {Sentences} */
function proposed() {
  return {
    draw: gettext("You offered a draw."),
    "take-back": gettext("You asked to take back a move."),
    pause: gettext("You asked for a pause."),
    save: gettext("You asked to save the match."),
    resume: gettext("You invited the others to resume."),
    end: gettext("You proposed to end the match now."),
  };
}

/**
 * @param {Store} before
 * @param {Store} store the same position with the current offers
 * @param {number} now
 * @returns {boolean} whether a player declined my offer
 */
export function declined(before, store, now) {
  const still = new Set(openOffers(store, now).map(({ kind }) => kind));
  const mine = openOffers(before, now).filter(({ by }) => by === store.you);
  return before.live.ply === store.live.ply && mine.some(({ kind }) => !still.has(kind));
}
