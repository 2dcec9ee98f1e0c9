/**
 * The client's state of a match: a pure reducer over its socket's messages.
 *
 * Plies are numbered and carry the resulting state, so messages may come twice, late or out of order: the newest
 * position wins, and a gap is found by its number.
 *
 * @typedef {FromMatch.OfferFields} Offer open until a moment of the server's
 *
 * @typedef {import("./acts.js").Ply} Ply
 *
 * @typedef {Partial<FromMatch.DiceFields>} Dice empty in matches without dice
 * @typedef {Omit<FromMatch.MatchFields, "dice"> & {dice: Dice}} Match
 *
 * @typedef {object} Position
 * @property {number} ply
 * @property {Boards.State|null} state null before anything is known
 * @property {Boards.Outcome|null} outcome
 * @property {string[]|null} legal
 *
 * @typedef {object} MatchFlags the flags of a match after a ply
 * @property {number} ply the ply
 * @property {"paused"|"saved"|null} halted
 * @property {number|null} idleDue the server's time from which the waiting players may claim, even if others are
 *   present; null for never
 * @property {number[]} acted the seats that have made a decision in the game
 * @property {number[]} left the seats that have left for good
 * @property {number[]} caretaken the seats a bot plays for
 *
 * @typedef {Partial<Pick<FromMatch.Snapshot, "halted"|"idle_due"|"acted"|"left"|"caretaken">> & {ply: number}}
 *   ToldFlags
 *
 * @typedef {object} Command a move, resignation ... that waits for its answer
 * @property {string} id
 * @property {string} type
 * @property {string} [move]
 * @property {string} [kind] of an offer
 * @property {boolean} [hidden] whether spectators are hidden
 * @property {number} [settled] the ply it led to, once accepted
 *
 * @typedef {object} Store
 * @property {Match|null} match what the snapshot says of the match: id, game, options, seats ...
 * @property {number|null} you my seat, null for a spectator
 * @property {Boards.State|null} start the state before ply 1
 * @property {Position} live the newest position known
 * @property {number} heard the highest number of a ply that is known to exist
 * @property {ReadonlyArray<Ply|undefined>} plies ply n at n - 1; undefined until received
 * @property {number|null} cursor the selected ply, null for the newest
 * @property {Command[]} pending
 * @property {{code: string, detail: string, count: number}|null} refusal the last one; `count` tells repeats apart
 * @property {number} watchers
 * @property {string[]} names of the signed-in spectators, empty if there are too many
 * @property {boolean} hidden whether the players hide the spectators
 * @property {number[]} hiddenBy seats that want them hidden
 * @property {number[]|null} present seats with a connected player, null if unknown
 * @property {FromMatch.AwayFields[]} away the other seats: when they disconnected in Unix time, and from when the
 *   opponents may claim
 * @property {number[]} offered seats that want a rematch
 * @property {string|null} rematch id of the next match
 * @property {(import("./clock.js").Clocks & {ply: number})|null} clocks after the newest known ply, if any
 * @property {Omit<FromMatch.Hint, "type">|null} hint the last hint and its position
 * @property {number|null} waking the position for which a computer was last reported as not ready
 * @property {MatchFlags} flags the newest received
 * @property {import("./may.js").May} may my permissions and their position
 * @property {{ply: number, open: Offer[]}} offers made after that ply; a newer position ends them
 *
 * @typedef {Store & {match: Match, start: Boards.State, live: {state: Boards.State}}} Known after a snapshot
 *
 * @typedef {{type: "sent", command: Command} | {type: "step", to: number|null, played?: boolean}} Own messages of this
 *   page: a command was sent; the user selected another ply, or the replay did
 * @typedef {FromMatch.Message | Own} Message
 */

import { lastInterruption, lastPlayed } from "./acts.js";
import { NOTHING_ALLOWED } from "./may.js";
import { UNSETTLED } from "../net/unsettled.js";

/** @returns {Store} */
export function empty() {
  return {
    match: null,
    you: null,
    start: null,
    live: { ply: -1, state: null, outcome: null, legal: null },
    heard: 0,
    plies: [],
    cursor: null,
    pending: [],
    refusal: null,
    ...crowdOf({ watchers: 0, present: [] }),
    offered: [],
    rematch: null,
    clocks: null,
    hint: null,
    waking: null,
    flags: { ply: -1, halted: null, idleDue: null, acted: [], left: [], caretaken: [] },
    may: NOTHING_ALLOWED,
    offers: { ply: -1, open: [] },
    away: [],
  };
}

/**
 * @param {Store} store
 * @param {Message} message
 * @returns {Store} the same object if nothing changed
 */
export function reduce(store, message) {
  const handler = /** @type {((store: Store, message: Message) => Store)|undefined} */ (HANDLERS[message.type]);
  return handler ? handler(store, message) : store;
}

/** @type {{[T in Message["type"]]?: (store: Store, message: Extract<Message, {type: T}>) => Store}} */
const HANDLERS = {
  snapshot(store, message) {
    return moved(
      {
        ...withOffers(told(timed(store, message, true), message), message),
        match: { ...message.match, dice: { ...message.match.dice, ...revealed(store.match?.dice) } },
        you: message.you,
        start: message.start,
        ...crowdOf(message),
        offered: message.match.offered ?? store.offered,
        rematch: message.match.rematch ?? store.rematch,
      },
      message,
    );
  },

  plies(store, message) {
    const plies = withPlies(store.plies, message.plies);
    const last = message.plies.at(-1);
    const ply = last ? last.number : message.after;
    const state = last ? last.state : stateAt(store, message.after);
    let next = plies === store.plies ? store : { ...store, plies };
    if (message.secret && next.match) {
      next = { ...next, match: { ...next.match, dice: { ...next.match.dice, secret: message.secret } } };
    }
    next = told(timed(next, { ply, clocks: last?.clocks }), { ...message, ply });
    return state ? moved(next, { ...message, ply, state }) : hear(next, ply);
  },

  accepted(store, message) {
    const pending = store.pending.map((command) =>
      command.id === message.id ? { ...command, settled: message.ply } : command,
    );
    return settle(hear({ ...store, pending }, message.ply));
  },

  refused(store, message) {
    const count = (store.refusal?.count ?? 0) + 1;
    const refusal = { code: message.code, detail: message.detail, count };
    const lost = (/** @type {Command} */ command) => message.id === null || command.id === message.id;
    const pending = UNSETTLED.has(message.code) ? store.pending : store.pending.filter((c) => !lost(c));
    const next = { ...store, pending, refusal };
    const { state, ply } = message;
    return state && ply !== undefined ? moved(told(next, { ...message, ply }), { ...message, ply, state }) : next;
  },

  clocks: (store, message) => timed(store, message, true),

  crowd: (store, message) => ({ ...store, ...crowdOf(message) }),

  offers: (store, message) => permitted(withOffers(store, message), message),

  rematch: (store, { offered, match }) => ({ ...store, offered, rematch: match ?? store.rematch }),

  words: (store, { words }) =>
    store.match ? { ...store, match: { ...store.match, dice: { ...store.match.dice, words } } } : store,


  waking: (store, { ply }) => ({ ...store, waking: ply }),

  hint: (store, { ply, move, share, score, proved }) => ({ ...store, hint: { ply, move, share, score, proved } }),

  pong: (store, { ply }) => hear(store, ply),

  sent(store, { command }) {
    if (store.pending.some(({ id }) => id === command.id)) {
      return store;
    }
    const next = { ...store, pending: [...store.pending, command] };
    return command.type === "decline" ? unoffered(next, command.kind) : next;
  },

  step(store, { to }) {
    const cursor = to === null || to >= store.live.ply ? null : Math.max(0, to);
    const shown = cursor === null || stateAt(store, cursor) !== null;
    return shown && cursor !== store.cursor ? { ...store, cursor } : store;
  },
};

/**
 * The presence in a message; during an upgrade an older server may send less.
 *
 * @param {{watchers: number, present: number[]|null} & Partial<Omit<FromMatch.Crowd, "type"|"present">>} message
 * @returns {Pick<Store, "watchers"|"names"|"hidden"|"hiddenBy"|"present"|"away">}
 */
function crowdOf({ watchers, names = [], hidden = false, hidden_by: hiddenBy = [], present, away = [] }) {
  return { watchers, names, hidden, hiddenBy, present, away };
}

/** Revealed seeds stay known, even after an older message. @param {Dice} [dice] */
function revealed(dice) {
  return dice?.secret ? { secret: dice.secret } : {};
}

/**
 * Apply a position unless it is older than the known one; equal ones are merged.
 *
 * @param {Store} store
 * @param {Partial<Position> & {ply: number, state: Boards.State}} message
 * @returns {Store}
 */
function moved(store, { ply, state, outcome = null, legal = null }) {
  const { live } = store;
  if (ply > live.ply) {
    return settle(hear({ ...store, live: { ply, state, outcome, legal } }, ply));
  }
  const fuller = ply === live.ply && ((outcome && !live.outcome) || (legal && !live.legal));
  const next = fuller
    ? { ...store, live: { ...live, outcome: live.outcome ?? outcome, legal: live.legal ?? legal } }
    : store;
  return settle(hear(next, ply));
}

/**
 * Apply the other fields of a position.
 *
 * @param {Store} store
 * @param {ToldFlags & {may?: FromMatch.MayFields}} message
 * @returns {Store}
 */
function told(store, message) {
  return permitted(situated(store, message), message);
}

/**
 * Apply flags if they are newer than the known ones; not every message has them.
 *
 * @param {Store} store
 * @param {ToldFlags} message
 * @returns {Store}
 */
function situated(store, { ply, halted = null, idle_due: idleDue = null, acted, left = [], caretaken = [] }) {
  const newer = acted !== undefined && ply > store.flags.ply;
  return newer ? { ...store, flags: { ply, halted, idleDue, acted, left, caretaken } } : store;
}

/**
 * Apply permissions unless newer ones are known; within a position they change with the offers.
 *
 * @param {Store} store
 * @param {{ply: number, may?: FromMatch.MayFields}} message
 * @returns {Store}
 */
function permitted(store, { ply, may }) {
  const known = store.may;
  if (!may || ply < known.ply || JSON.stringify({ ply, ...may }) === JSON.stringify(known)) {
    return store;
  }
  return { ...store, may: { ply, ...may } };
}

/**
 * Apply offers unless newer ones are known.
 *
 * @param {Store} store
 * @param {{ply: number, offers?: Offer[]}} message
 * @returns {Store}
 */
function withOffers(store, { ply, offers = [] }) {
  return ply >= store.offers.ply ? { ...store, offers: { ply, open: offers } } : store;
}

/**
 * Remove an offer that I just declined or withdrew, before the server's broadcast.
 *
 * @param {Store} store
 * @param {string|undefined} kind
 * @returns {Store}
 */
function unoffered(store, kind) {
  return { ...store, offers: { ...store.offers, open: store.offers.open.filter((offer) => offer.kind !== kind) } };
}

/**
 * Apply clocks if they are newer than the known ones; with `anew` also those of the same ply.
 *
 * @param {Store} store
 * @param {{ply: number, clocks?: import("./clock.js").Clocks, vacations?: import("./clock.js").Vacation[]}} message
 * @param {boolean} [anew]
 * @returns {Store}
 */
function timed(store, { ply, clocks, vacations = store.clocks?.vacations ?? [] }, anew = false) {
  const known = store.clocks?.ply ?? -1;
  return clocks && (ply > known || (anew && ply === known)) ? { ...store, clocks: { ...clocks, ply, vacations } } : store;
}

/**
 * @param {Store} store
 * @param {number} ply
 * @returns {Store}
 */
function hear(store, ply) {
  return ply > store.heard ? { ...store, heard: ply } : store;
}

/**
 * Drop commands whose ply is known.
 *
 * @param {Store} store
 * @returns {Store}
 */
function settle(store) {
  if (store.pending.length === 0) {
    return store;
  }
  const played = new Set(store.plies.map((ply) => ply?.command));
  const pending = store.pending.filter(
    ({ id, settled }) => !played.has(id) && !(settled !== undefined && settled <= store.live.ply),
  );
  return pending.length === store.pending.length ? store : { ...store, pending };
}

/**
 * @param {ReadonlyArray<Ply|undefined>} plies
 * @param {Ply[]} arrived
 */
function withPlies(plies, arrived) {
  const fresh = arrived.filter(({ number }) => plies[number - 1] === undefined);
  if (fresh.length === 0) {
    return plies;
  }
  // Gaps are filled with undefined, so that every array method visits them.
  const next = Array.from({ length: Math.max(plies.length, ...fresh.map(({ number }) => number)) }, (_, i) => plies[i]);
  for (const ply of fresh) {
    next[ply.number - 1] = ply;
  }
  return next;
}

/**
 * @param {Store} store
 * @returns {number|null} the ply after which plies are missing, null if none
 */
export function missingAfter(store) {
  if (!store.match) {
    return null;
  }
  for (let after = 0; after < store.heard; after += 1) {
    if (store.plies[after] === undefined) {
      return after;
    }
  }
  return null;
}

/**
 * Call `listener` when what was prepared for a position is void (`lastInterruption`).
 *
 * @param {{get: () => Store, subscribe: (listener: Listener) => () => void}} store
 * @param {() => void} listener
 * @returns {() => void} unsubscribe
 */
export function onInterruption(store, listener) {
  return store.subscribe((now, before) => {
    if (lastInterruption(now.plies) !== lastInterruption(before.plies)) {
      listener();
    }
  });
}

/**
 * @param {Store} store
 * @param {number} number
 * @returns {Boards.State|null} the state after ply `number`, null if unknown
 */
export function stateAt(store, number) {
  if (number === store.live.ply) {
    return store.live.state;
  }
  return number === 0 ? store.start : (store.plies[number - 1]?.state ?? null);
}

/**
 * @param {Store} store
 * @param {number} number
 * @returns {{state: Boards.State, ply: Ply|null, last: Ply|null}|null} what a board shows for ply `number`
 */
export function knownAfter(store, number) {
  const state = stateAt(store, number);
  return state && { state, ply: store.plies[number - 1] ?? null, last: lastPlayed(store.plies, number) };
}

/**
 * @param {Store} store
 * @returns {number} the ply on the board
 */
export function shownPly(store) {
  return store.cursor ?? Math.max(0, store.live.ply);
}

/** @param {Known} store @returns {Boards.State} the state on the board: only known positions can be selected */
export function shownState(store) {
  return stateAt(store, shownPly(store)) ?? store.live.state;
}

/** @param {Store} store @returns {store is Known} whether a snapshot was received */
export function isKnown(store) {
  return store.match !== null;
}

/** @param {Store} store @returns {Known} it, where a snapshot must have come */
export function known(store) {
  if (!isKnown(store)) {
    throw new Error("Nothing is known of the match yet.");
  }
  return store;
}

/**
 * Subscribe to changes once the match is known; if it is already, the listener is called at once.
 *
 * @param {{get: () => Store, subscribe: (listener: Listener) => () => void}} store
 * @param {(now: Known, before: Store, message: Heard) => void} listener
 * @returns {() => void} unsubscribe
 */
export function follow({ get, subscribe }, listener) {
  /** @type {Listener} */
  const heard = (now, before, message) => {
    if (isKnown(now)) {
      listener(now, before, message);
    }
  };
  const stop = subscribe(heard);
  heard(get(), get(), { type: "snapshot" });
  return stop;
}

/**
 * @typedef {Message | {type: "snapshot"}} Heard the first call of `follow` passes a snapshot
 * @typedef {(now: Store, before: Store, message: Heard) => void} Listener
 *
 * The store with its listeners. `ask(after)` is called when plies are missing: once per gap, and again whenever the
 * connection proves alive and the gap remains.
 *
 * @param {{ask: (after: number) => void}} way
 */
export function createStore({ ask }) {
  let store = empty();
  /** @type {number|null} */
  let asked = null;
  /** @type {Set<Listener>} */
  const listeners = new Set();
  return {
    get: () => store,
    /** @param {Listener} listener */
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** @param {Message} message */
    dispatch(message) {
      const before = store;
      store = reduce(store, message);
      const hole = missingAfter(store);
      const again = message.type === "pong" || message.type === "snapshot";
      if (hole !== null && (hole !== asked || again)) {
        ask(hole);
      }
      asked = hole;
      if (store !== before) {
        for (const listener of listeners) {
          listener(store, before, message);
        }
      }
    },
  };
}
