import assert from "node:assert/strict";
import { test } from "node:test";

import { mayNow, myTurn } from "../../../static/match/may.js";
import { createStore, empty, missingAfter, reduce, shownPly, stateAt } from "../../../static/match/store.js";

const ACTS = { 3: "paused:0", 4: "resumed:1", 6: "caretaker:1", 8: "saved:1", 9: "resumed:0", 10: "reclaimed:1", 11: "paused:0" };

/** What a server makes of these acts, after so many plies. */
const flags = (number) => ({
  ply: number,
  halted: number === 3 || number >= 11 ? "paused" : number === 8 ? "saved" : null,
  idleDue: 1_000 * number,
  acted: [0, 1].slice(0, number),
  left: [],
  caretaken: number >= 6 && number < 10 ? [1] : [],
});
const may = (number, ...more) => ({
  commands: [...(number % 2 === 0 && !flags(number).halted ? ["move"] : []), "resign"],
  offer: [`something-${number}`],
  agree: [],
  claim: [],
  ...more[0],
});
/** What comes with the newest ply beside it. */
const beside = ({ ply: number, idleDue, ...rest } = flags(0)) => ({ ...rest, idle_due: idleDue, may: may(number) });
const state = (number) => ({ turn: number % 2, at: number });
const ply = (number, more = {}) => ({
  number,
  seat: (number + 1) % 2,
  action: ACTS[number] ?? String(number),
  dice: null,
  events: [],
  state: state(number),
  command: `command-${number}`,
  ...more,
});
const range = (from, to) => Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
const plies = (after, last, more = {}) => ({
  type: "plies",
  after,
  plies: range(after + 1, last + 1).map((number) => ply(number)),
  outcome: null,
  ...beside(flags(last)),
  ...more,
});
const snapshot = (number, more = {}) => ({
  type: "snapshot",
  match: { id: "m", game: "kalah", options: {}, seats: [{ seat: 0, name: "Ann" }, { seat: 1, name: "Bo" }], offered: [], rematch: null, dice: null },
  you: 0,
  ply: number,
  start: state(0),
  state: state(number),
  outcome: null,
  ...beside(flags(number)),
  offers: [],
  watchers: 0,
  present: [0],
  ...more,
});
const after = (...messages) => messages.reduce(reduce, empty());

test("a snapshot is the position", () => {
  const store = after(snapshot(3, { legal: ["1"] }));
  assert.deepEqual(store.live, { ply: 3, state: state(3), outcome: null, legal: ["1"] });
});

test("after a snapshot all earlier plies are missing", () => {
  assert.equal(missingAfter(after(snapshot(3))), 0);
});

test("after a snapshot of the start nothing is missing", () => {
  assert.equal(missingAfter(after(snapshot(0))), null);
});

test("nothing is missing before the first snapshot", () => {
  assert.equal(missingAfter(empty()), null);
});

test("plies move the position on", () => {
  assert.equal(after(snapshot(0), plies(0, 2)).live.state.at, 2);
});

test("a ply twice is a ply once", () => {
  const once = after(snapshot(0), plies(0, 1));
  assert.equal(reduce(once, plies(0, 1)), once);
});

test("an older message does not take the position back", () => {
  assert.equal(after(snapshot(0), plies(0, 3), plies(0, 1)).live.ply, 3);
});

test("an older snapshot does not take the position back", () => {
  assert.equal(after(snapshot(0), plies(0, 3), snapshot(1)).live.ply, 3);
});

test("a gap is found by the number before it", () => {
  assert.equal(missingAfter(after(snapshot(0), plies(0, 2), plies(4, 5))), 2);
});

test("a ply after a gap is shown all the same", () => {
  assert.equal(after(snapshot(0), plies(4, 5)).live.ply, 5);
});

test("the answer to a question fills the gap", () => {
  const store = after(snapshot(0), plies(4, 5), plies(0, 5));
  assert.equal(missingAfter(store), null);
  assert.equal(stateAt(store, 3).at, 3);
});

test("a pong that knows more makes plies missing", () => {
  assert.equal(missingAfter(after(snapshot(0), { type: "pong", t: 1, ply: 2 })), 0);
});

test("an accepted command whose ply has not come makes it missing", () => {
  const store = after(snapshot(0), { type: "accepted", id: "x", ply: 1 });
  assert.equal(missingAfter(store), 0);
});

test("legal moves belong to their ply", () => {
  assert.equal(after(snapshot(0, { legal: ["1"] }), plies(0, 1)).live.legal, null);
});

test("the legal moves of the newest ply survive a message without them", () => {
  const store = after(snapshot(0), plies(0, 2, { legal: ["4"] }), plies(0, 2));
  assert.deepEqual(store.live.legal, ["4"]);
});

test("an answer completes the newest ply with its legal moves", () => {
  const store = after(snapshot(0), { ...plies(0, 2) }, { type: "plies", after: 2, plies: [], outcome: null, legal: ["5"] });
  assert.deepEqual(store.live.legal, ["5"]);
});

test("an outcome stays", () => {
  const outcome = { winners: [0], reason: "swept", scores: [] };
  assert.equal(after(snapshot(0), plies(0, 2, { outcome }), plies(0, 2)).live.outcome, outcome);
});

test("a command waits until its ply has come", () => {
  const sent = { type: "sent", command: { id: "command-1", type: "move", move: "1" } };
  const waiting = after(snapshot(0), sent, { type: "accepted", id: "command-1", ply: 1 });
  assert.equal(waiting.pending.length, 1);
  assert.equal(reduce(waiting, plies(0, 1)).pending.length, 0);
});

test("a ply with the command's id is as good as its acceptance", () => {
  const sent = { type: "sent", command: { id: "command-1", type: "move", move: "1" } };
  assert.equal(after(snapshot(0), sent, plies(0, 1)).pending.length, 0);
});

test("a command accepted for a ply that is here waits no more", () => {
  const sent = { type: "sent", command: { id: "other", type: "rematch" } };
  assert.equal(after(snapshot(2), sent, { type: "accepted", id: "other", ply: 2 }).pending.length, 0);
});

test("a command is waited for once, however often it is sent", () => {
  const sent = { type: "sent", command: { id: "command-1", type: "move", move: "1" } };
  assert.equal(after(snapshot(0), sent, sent).pending.length, 1);
});

test("a refusal is told and ends the wait", () => {
  const sent = { type: "sent", command: { id: "c", type: "move", move: "1" } };
  const store = after(snapshot(0), sent, { type: "refused", id: "c", code: "empty-pit", detail: "Empty." });
  assert.equal(store.pending.length, 0);
  assert.equal(store.refusal.detail, "Empty.");
});

test("the same refusal twice is two refusals", () => {
  const refused = { type: "refused", id: "c", code: "empty-pit", detail: "Empty." };
  assert.notEqual(after(snapshot(0), refused).refusal.count, after(snapshot(0), refused, refused).refusal.count);
});

test("a stale command brings the current position", () => {
  const refused = { type: "refused", id: "c", code: "stale", detail: "Old.", ply: 4, state: state(4), legal: ["2"] };
  const store = after(snapshot(0), refused);
  assert.equal(store.live.ply, 4);
  assert.deepEqual(store.live.legal, ["2"]);
  assert.equal(missingAfter(store), 0);
});

test("a server that cannot store settles nothing", () => {
  const sent = { type: "sent", command: { id: "c", type: "move", move: "1" } };
  const store = after(snapshot(0), sent, { type: "refused", id: "c", code: "unavailable", detail: "Later." });
  assert.equal(store.pending.length, 1);
});

test("stepping back stays there when plies come", () => {
  const store = after(snapshot(0), plies(0, 3), { type: "step", to: 1 }, plies(3, 4));
  assert.equal(shownPly(store), 1);
});

test("stepping to the newest ply is live again", () => {
  const store = after(snapshot(0), plies(0, 3), { type: "step", to: 1 }, { type: "step", to: 3 });
  assert.equal(store.cursor, null);
});

test("nobody steps before the start", () => {
  assert.equal(shownPly(after(snapshot(0), plies(0, 3), { type: "step", to: -2 })), 0);
});

test("nobody steps to a position that is not known yet", () => {
  assert.equal(shownPly(after(snapshot(3), { type: "step", to: 1 })), 3);
});

test("it is my turn only with a seat, on turn, before the end", () => {
  const outcome = { winners: [0], reason: "swept", scores: [] };
  assert.equal(myTurn(after(snapshot(0))), true);
  assert.equal(myTurn(after(snapshot(1))), false);
  assert.equal(myTurn(after(snapshot(0, { you: null, may: undefined }))), false);
  assert.equal(myTurn(after(snapshot(0, { outcome, may: may(0, { commands: ["rematch"] }) }))), false);
});

test("a rematch once begun is not forgotten", () => {
  const begun = { type: "rematch", offered: [0, 1], match: "next" };
  assert.equal(after(snapshot(0), begun, { type: "rematch", offered: [0], match: null }).rematch, "next");
});

test("the secret of the dice comes with the last ply", () => {
  const dice = { commitment: "c", words: ["", ""], secret: null };
  const start = snapshot(0, { match: { ...snapshot(0).match, dice } });
  const store = after(start, plies(0, 1, { secret: "s" }), start);
  assert.deepEqual(store.match.dice, { commitment: "c", words: ["", ""], secret: "s" });
});

const offer = (kind, by, more = {}) => ({ kind, by, agreed: [by], until: 30_000, ...more });
const offers = (number, ...open) => ({ type: "offers", ply: number, offers: open });

test("a halt and its end are told with the plies", () => {
  assert.equal(after(snapshot(0), plies(0, 3)).flags.halted, "paused");
  assert.equal(after(snapshot(3)).flags.halted, "paused");
  assert.equal(after(snapshot(3), plies(3, 4)).flags.halted, null);
});

test("the flags and what I may do are those of the newest ply, also after a hole and before it is filled", () => {
  const holed = after(snapshot(0), plies(3, 6));
  for (const store of [holed, reduce(holed, plies(0, 3)), reduce(holed, plies(0, 6))]) {
    assert.deepEqual(store.flags, flags(6));
    assert.deepEqual(store.may, { ply: 6, ...may(6) });
  }
});

test("plies that are not the newest bring neither, and then nothing is allowed in a position that nothing was said of", () => {
  const { type, after: from, plies: rows, outcome } = plies(0, 2);
  const store = after(snapshot(0), { type, after: from, plies: rows, outcome });
  assert.deepEqual([store.live.ply, store.flags.ply, store.may.ply], [2, 0, 0]);
  assert.deepEqual(mayNow(store).commands, []);
  assert.deepEqual(mayNow(reduce(store, plies(2, 3))).offer, ["something-3"]);
});

test("what I may do changes with what is on offer, and comes with a refusal", () => {
  const agree = may(2, { agree: ["draw"] });
  assert.deepEqual(after(snapshot(2), { ...offers(2, offer("draw", 1)), may: agree }).may.agree, ["draw"]);
  assert.deepEqual(after(snapshot(2), { ...offers(1), may: may(1) }).may, { ply: 2, ...may(2) });
  const refused = { type: "refused", id: "c", code: "stale", detail: "Old.", ply: 4, state: state(4), ...beside(flags(4)) };
  assert.deepEqual(after(snapshot(2), refused).may, { ply: 4, ...may(4) });
  assert.deepEqual(after(snapshot(2), refused).flags, flags(4));
});

test("it is nobody's turn while the match is halted, nor mine while a bot plays for me", () => {
  assert.equal(myTurn(after(snapshot(4))), true);
  assert.equal(myTurn(after(snapshot(4, { halted: "saved", may: may(4, { commands: ["resign"] }) }))), false);
  assert.equal(myTurn(after(snapshot(4, { caretaken: [0], may: may(4, { commands: ["resign", "reclaim"] }) }))), false);
});

test("offers replace each other, and older ones are not listened to", () => {
  const store = after(snapshot(2), offers(2, offer("draw", 1)), offers(2, offer("draw", 1), offer("save", 0)), offers(1));
  assert.deepEqual(store.offers, { ply: 2, open: [offer("draw", 1), offer("save", 0)] });
});

test("what I decline or withdraw is over for me at once", () => {
  const sent = { type: "sent", command: { id: "c", type: "decline", kind: "draw" } };
  assert.deepEqual(after(snapshot(2), offers(2, offer("draw", 1), offer("save", 0)), sent).offers.open, [offer("save", 0)]);
});

test("who is away is told with the crowd", () => {
  const away = [{ seat: 1, since: 5_000, due: 65_000 }];
  assert.deepEqual(after(snapshot(0, { away })).away, away);
  assert.deepEqual(after(snapshot(0, { away }), { type: "crowd", watchers: 1, present: [0, 1] }).away, []);
});

test("a message of an unknown type changes nothing", () => {
  const store = after(snapshot(0));
  assert.equal(reduce(store, { type: "weather" }), store);
});

test("a hole is asked for once, and again when the connection proves alive", () => {
  const asked = [];
  const store = createStore({ ask: (number) => asked.push(number) });
  store.dispatch(snapshot(2));
  store.dispatch({ type: "crowd", watchers: 1, present: [] });
  assert.deepEqual(asked, [0]);
  store.dispatch({ type: "pong", t: 0, ply: 2 });
  assert.deepEqual(asked, [0, 0]);
  store.dispatch(plies(0, 2));
  store.dispatch({ type: "pong", t: 0, ply: 2 });
  assert.deepEqual(asked, [0, 0]);
});

test("listeners hear of changes only, and can stop listening", () => {
  const heard = [];
  const store = createStore({ ask: () => {} });
  const stop = store.subscribe((now, before, message) => heard.push(message.type));
  store.dispatch(snapshot(0));
  store.dispatch({ type: "pong", t: 0, ply: 0 });
  stop();
  store.dispatch(plies(0, 1));
  assert.deepEqual(heard, ["snapshot"]);
});

/** A small linear congruential generator: the same runs on every machine. */
function generator(seed) {
  let value = seed;
  return (below) => {
    value = (Math.imul(value, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((value / 2 ** 32) * below);
  };
}

/** What a server with `last` plies may ever have sent, in any order, any part of it, any number of times. */
function noise(last, random) {
  const any = () => random(last + 1);
  const kinds = [
    () => snapshot(any()),
    () => {
      const [from, to] = [any(), any()].sort((a, b) => a - b);
      return plies(from, to, to === last ? { outcome: END } : {});
    },
    () => ({ type: "pong", t: 0, ply: any() }),
    () => ({ type: "accepted", id: `command-${1 + random(last)}`, ply: any() }),
    () => {
      const number = any();
      return { type: "refused", id: `command-${1 + random(last)}`, code: "stale", detail: "", ply: number, state: state(number) };
    },
    () => ({ type: "sent", command: { id: `command-${1 + random(last)}`, type: "move", move: "1" } }),
    () => ({ type: "step", to: random(2) ? null : any() }),
    () => ({ type: "crowd", watchers: any(), present: [] }),
  ];
  return Array.from({ length: random(30) }, () => kinds[random(kinds.length)]());
}

const END = { winners: [0], reason: "swept", scores: [] };

test("after any drops, repeats and orders, a working connection leads to the server's match", () => {
  for (let seed = 1; seed <= 400; seed += 1) {
    const random = generator(seed);
    const last = 1 + random(12);
    const questions = [];
    const store = createStore({ ask: (number) => questions.push(number) });
    noise(last, random).forEach(store.dispatch);
    questions.length = 0;
    store.dispatch(snapshot(last, { outcome: END }));
    // The server answers what it is asked; on the way some answers are lost until a pong comes.
    for (let round = 0; questions.length > 0 && round < 50; round += 1) {
      const number = questions.shift();
      store.dispatch(random(3) === 0 ? { type: "pong", t: 0, ply: last } : plies(number, last, { outcome: END }));
    }
    store.dispatch({ type: "step", to: null });
    const now = store.get();
    assert.equal(missingAfter(now), null, `seed ${seed}`);
    assert.deepEqual(now.live, { ply: last, state: state(last), outcome: END, legal: null }, `seed ${seed}`);
    assert.deepEqual(now.plies, range(1, last + 1).map((number) => ply(number)), `seed ${seed}`);
    assert.deepEqual(now.pending, [], `seed ${seed}`);
    assert.deepEqual(now.flags, flags(last), `seed ${seed}`);
    assert.deepEqual(mayNow(now), { ply: last, ...may(last) }, `seed ${seed}`);
  }
});
