import assert from "node:assert/strict";
import { test } from "node:test";

import "../catalogue.js";

const { countdown } = await import("../../../static/match/absence.js");
const { choices, commandFor } = await import("../../../static/match/choices.js");
const { declined } = await import("../../../static/match/offers.js");
const { empty, reduce } = await import("../../../static/match/store.js");

const NOW = 1_000_000;
const LIVE = { initial: 300_000, increment: 3_000, per_move: 0, first_move: 60_000 };
const SLOW = { initial: 0, increment: 0, per_move: 86_400_000, first_move: null };
const NAMES = ["Ann", "Bo", "Cy"];

/** A store as a snapshot fills it: seat 0 is me and on turn, all have acted, nothing else is going on. */
function store({ match = {}, seats = 2, turn = 0, plies = [], ...more } = {}) {
  const snapshot = {
    type: "snapshot",
    match: {
      id: "m",
      rated: false,
      draws: true,
      absence: 60_000,
      seats: NAMES.slice(0, seats).map((name, seat) => ({ seat, name })),
      dice: null,
      clock: null,
      ...match,
    },
    you: 0,
    ply: plies.length,
    start: { turn },
    state: { turn },
    outcome: null,
    halted: null,
    acted: [0, 1, 2].slice(0, seats),
    left: [],
    caretaken: [],
    offers: [],
    away: [],
    watchers: 0,
    present: [],
    ...more,
  };
  const told = { type: "plies", after: 0, plies, outcome: null };
  return [snapshot, told].reduce(reduce, empty());
}

const move = (number, seat, more = {}) => ({ number, seat, action: "1", dice: null, events: [], state: { turn: 0 }, ...more });
const offer = (kind, by, more = {}) => ({ kind, by, agreed: [by], until: NOW + 27_300, ...more });
const away = (ago, seat = 1) => [{ seat, since: NOW - ago }];
const all = (look) => [...look.beside, ...look.row, ...look.menu];

test("a watcher finds nothing but the board to flip", () => {
  assert.deepEqual(all(choices(store({ you: null }), NOW)), ["flip"]);
});

test("who has left for good is a watcher", () => {
  assert.deepEqual(all(choices(store({ seats: 3, left: [0] }), NOW)), ["flip"]);
});

test("a match is aborted as long as somebody has not acted, and never after", () => {
  assert.deepEqual(choices(store({ acted: [0] }), NOW).beside, ["abort", "draw"]);
  assert.equal(all(choices(store(), NOW)).includes("abort"), false);
});

test("a move is taken back in casual matches, once there is one", () => {
  const plies = [move(1, 0), move(2, 1)];
  assert.deepEqual(choices(store({ plies }), NOW).beside, ["take-back", "draw"]);
  assert.equal(all(choices(store({ plies: [] }), NOW)).includes("take-back"), false);
  assert.equal(all(choices(store({ plies, match: { rated: true } }), NOW)).includes("take-back"), false);
});

test("before all have acted a take-back is in the menu", () => {
  const look = choices(store({ plies: [move(1, 0)], acted: [0] }), NOW);
  assert.deepEqual([look.beside, look.menu], [["abort", "draw"], ["take-back", "save", "flip"]]);
});

test("a throw is never taken back", () => {
  const plies = [move(1, 0), move(2, null, { action: "dice", dice: [1, 2] })];
  assert.equal(all(choices(store({ plies }), NOW)).includes("take-back"), false);
});

test("a draw is offered by two players of a game that knows draws", () => {
  assert.equal(all(choices(store({ match: { draws: false } }), NOW)).includes("draw"), false);
  assert.equal(all(choices(store({ seats: 3 }), NOW)).includes("draw"), false);
});

test("the end is voted for at tables of three and more", () => {
  assert.deepEqual(choices(store({ seats: 3 }), NOW).beside, ["end"]);
  assert.equal(all(choices(store(), NOW)).includes("end"), false);
});

test("live matches alone are paused", () => {
  const open = (clock) => all(choices(store({ match: { clock } }), NOW)).includes("pause");
  assert.deepEqual([open(LIVE), open(SLOW), open(null)], [true, false, false]);
});

test("a match is saved by whose turn it is", () => {
  assert.equal(all(choices(store({ turn: 0 }), NOW)).includes("save"), true);
  assert.equal(all(choices(store({ turn: 1 }), NOW)).includes("save"), false);
});

test("the second action depends on the match alone, not on whose turn it is", () => {
  const match = { draws: false, clock: LIVE };
  assert.deepEqual(choices(store({ match, turn: 0 }), NOW).beside, ["pause"]);
  assert.deepEqual(choices(store({ match, turn: 1 }), NOW).beside, ["pause"]);
});

test("a request takes the place of everything else", () => {
  const look = choices(store({ offers: [offer("draw", 1)] }), NOW);
  assert.equal(look.words, "Bo offers a draw.");
  assert.deepEqual(all(look), ["accept", "decline"]);
  assert.deepEqual(commandFor("accept", look), { type: "offer", kind: "draw" });
  assert.deepEqual(commandFor("decline", look), { type: "decline", kind: "draw" });
});

test("a request counts down in whole seconds, and is gone when nobody can agree any more", () => {
  const asked = store({ offers: [offer("draw", 1)] });
  const { left, next } = choices(asked, NOW);
  assert.deepEqual([countdown(left), next], ["0:28", 300]);
  assert.equal(countdown(choices(asked, NOW + next).left), "0:27");
  assert.equal(choices(asked, NOW + 27_300).about, "");
});

test("what I have offered can be withdrawn, and I can still resign", () => {
  const look = choices(store({ offers: [offer("take-back", 0)] }), NOW);
  assert.equal(look.words, "You asked to take a move back.");
  assert.deepEqual(all(look), ["withdraw", "resign", "more", "flip"]);
  assert.deepEqual(commandFor("withdraw", look), { type: "decline", kind: "take-back" });
});

test("who has agreed waits for the others", () => {
  const look = choices(store({ seats: 3, offers: [offer("end", 1, { agreed: [0, 1] })] }), NOW);
  assert.equal(look.words, "You agreed with Bo.");
});

test("a request goes before what I wait for", () => {
  const look = choices(store({ offers: [offer("save", 0), offer("draw", 1)] }), NOW);
  assert.equal(look.offer.kind, "draw");
});

test("the next ply ends all offers", () => {
  const asked = store({ offers: [offer("draw", 1)] });
  const gone = reduce(asked, { type: "plies", after: 0, plies: [move(1, 0)], outcome: null });
  assert.equal(choices(gone, NOW).about, "");
});

test("a short absence goes unnoticed, a longer one counts down, then it may be claimed", () => {
  const seen = (ago) => choices(store({ turn: 1, away: away(ago) }), NOW);
  assert.deepEqual([seen(4_000).about, seen(4_000).next], ["", 1_000]);
  assert.equal(seen(18_000).words, "Bo has left. You can claim the win in 0:42.");
  assert.deepEqual(all(seen(18_000)), ["resign", "more", "flip"]);
  assert.deepEqual([seen(60_000).words, seen(60_000).beside, seen(60_000).row], [
    "Bo has left. You can claim the win.",
    ["wait"],
    ["claim-win", "claim-draw"],
  ]);
});

test("an absence is told once, in words, and not every second", () => {
  const look = choices(store({ turn: 1, away: away(18_000) }), NOW);
  assert.equal(look.news, "Bo has left. You can claim the win in 42 seconds.");
  assert.equal(look.next, 1_000);
});

test("nobody is claimed on my own turn, while the match is halted, or where the clock alone counts", () => {
  assert.equal(choices(store({ turn: 0, away: away(90_000) }), NOW).about, "");
  assert.equal(choices(store({ turn: 1, away: away(90_000), halted: "paused" }), NOW).about, "halted");
  assert.equal(choices(store({ turn: 1, away: away(90_000), match: { absence: null } }), NOW).about, "");
});

test("only the seat on turn is waited for", () => {
  assert.equal(choices(store({ seats: 3, turn: 1, away: away(90_000, 2) }), NOW).about, "");
});

test("at a larger table a bot may play on, or all may end it", () => {
  const look = choices(store({ seats: 3, turn: 1, away: away(60_000) }), NOW);
  assert.deepEqual(look.row, ["claim-caretaker", "end"]);
  assert.deepEqual(commandFor("claim-caretaker", look), { type: "claim", kind: "caretaker" });
});

test("nobody claims a bot", () => {
  assert.equal(choices(store({ seats: 3, turn: 1, away: away(60_000), caretaken: [1] }), NOW).about, "thinking");
});

test("patience hides the claim for a while, and for that absence alone", () => {
  const absent = store({ turn: 1, away: away(70_000) });
  const patience = { since: NOW - 70_000, until: NOW + 5_000 };
  assert.deepEqual([choices(absent, NOW, patience).about, choices(absent, NOW, patience).next], ["", 5_000]);
  assert.equal(choices(absent, NOW + 5_000, patience).about, "claim");
  assert.equal(choices(absent, NOW, { ...patience, since: NOW - 90_000 }).about, "claim");
});

test("a paused match goes on at once, to a saved one the others are invited", () => {
  assert.deepEqual(choices(store({ halted: "paused" }), NOW).beside, ["resume"]);
  const saved = choices(store({ halted: "saved" }), NOW);
  assert.deepEqual(saved.beside, ["invite"]);
  assert.deepEqual(commandFor("invite", saved), { type: "offer", kind: "resume" });
});

test("who is invited answers", () => {
  const look = choices(store({ halted: "saved", offers: [offer("resume", 1)] }), NOW);
  assert.deepEqual([look.words, look.row], ["Bo would like to go on with the match.", ["accept", "decline"]]);
});

test("whom a bot plays for takes the chair back, before anything else", () => {
  const look = choices(store({ seats: 3, caretaken: [0], offers: [offer("end", 1)] }), NOW);
  assert.deepEqual([look.words, look.beside], ["A bot plays for you.", ["reclaim"]]);
});

test("after the end there is a rematch", () => {
  const outcome = { winners: [0], reason: "swept", scores: [] };
  assert.deepEqual(all(choices(store({ outcome }), NOW)), ["rematch", "flip"]);
});

test("my offer is declined when it goes before its time, and I did not withdraw it", () => {
  const mine = store({ offers: [offer("draw", 0)] });
  const without = reduce(mine, { type: "offers", ply: 0, offers: [] });
  assert.equal(declined(mine, without, NOW), true);
  assert.equal(declined(mine, without, NOW + 30_000), false);
  const withdrawn = reduce(mine, { type: "sent", command: { id: "c", type: "decline", kind: "draw" } });
  assert.equal(declined(withdrawn, reduce(withdrawn, { type: "offers", ply: 0, offers: [] }), NOW), false);
  assert.equal(declined(mine, mine, NOW), false);
});
