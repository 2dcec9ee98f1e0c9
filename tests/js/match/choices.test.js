import assert from "node:assert/strict";
import { test } from "node:test";

import "../catalogue.js";

const { countdown } = await import("../../../static/match/absence.js");
const { choices, commandFor } = await import("../../../static/match/choices.js");
const { declined } = await import("../../../static/match/offers.js");
const { empty, reduce } = await import("../../../static/match/store.js");

const NOW = 1_000_000;
const NAMES = ["Ann", "Bo", "Cy"];
const MAY = { commands: ["move", "resign", "decline"], offer: ["draw", "save"], agree: [], claim: [] };
const WAITING = { commands: ["resign", "decline"], offer: ["draw"], claim: ["win", "draw"] };
const LARGE = { offer: ["save", "end"] };

/** A store as a snapshot fills it: seat 0 is me and on turn, all have acted, nothing else is going on. */
function store({ match = {}, seats = 2, turn = 0, plies = [], may = {}, you = 0, ...more } = {}) {
  const snapshot = {
    type: "snapshot",
    match: {
      id: "m",
      rated: false,
      draws: true,
      seats: NAMES.slice(0, seats).map((name, seat) => ({ seat, name })),
      dice: null,
      clock: null,
      ...match,
    },
    you,
    ...(you === null ? {} : { may: { ...MAY, ...may } }),
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
const away = (ago, seat = 1) => [{ seat, since: NOW - ago, due: NOW - ago + 60_000 }];
const all = (look) => [...look.beside, ...look.row, ...look.menu, ...look.end];
const computer = { seats: [{ seat: 0, name: "Ann" }, { seat: 1, name: "Hazel", level: 3 }] };

test("a watcher finds nothing but the board to flip", () => {
  assert.deepEqual(all(choices(store({ you: null }), NOW)), ["flip"]);
});

test("who has left for good is a watcher", () => {
  assert.deepEqual(all(choices(store({ seats: 3, left: [0], may: { commands: [], offer: [] } }), NOW)), ["flip"]);
});

test("a match is aborted as long as that is allowed, and never after", () => {
  const commands = ["move", "resign", "decline", "abort"];
  assert.deepEqual(choices(store({ may: { commands } }), NOW).beside, ["abort", "draw"]);
  assert.equal(all(choices(store(), NOW)).includes("abort"), false);
});

test("a move is taken back where that is allowed", () => {
  assert.deepEqual(choices(store({ may: { offer: ["draw", "take-back", "save"] } }), NOW).beside, ["take-back", "draw"]);
  assert.equal(all(choices(store(), NOW)).includes("take-back"), false);
});

test("before all have acted a take-back is in the menu", () => {
  const may = { commands: ["move", "resign", "decline", "abort"], offer: ["draw", "take-back", "save"] };
  const look = choices(store({ may }), NOW);
  assert.deepEqual([look.beside, look.menu], [["abort", "draw"], ["abort", "take-back", "draw", "save", "flip", "resign"]]);
});

test("all that can be done stands in the menu, so that a phone needs no other place for it", () => {
  const { beside, row, menu } = choices(store({ may: { offer: ["draw", "take-back", "pause", "save"] } }), NOW);
  assert.deepEqual([...beside, ...row].filter((choice) => !menu.includes(choice)), []);
});

test("a computer is asked for a draw by the menu alone", () => {
  const look = choices(store({ match: computer }), NOW);
  assert.deepEqual([look.beside, look.menu], [["save"], ["draw", "save", "flip", "resign"]]);
});

test("a draw is offered where that is allowed", () => {
  assert.equal(all(choices(store(), NOW)).includes("draw"), true);
  assert.equal(all(choices(store({ may: { offer: ["save"] } }), NOW)).includes("draw"), false);
});

test("the end is voted for where that is allowed", () => {
  assert.deepEqual(choices(store({ seats: 3, may: LARGE }), NOW).beside, ["end"]);
  assert.equal(all(choices(store(), NOW)).includes("end"), false);
});

test("a match is paused where that is allowed", () => {
  const open = (offer) => all(choices(store({ may: { offer } }), NOW)).includes("pause");
  assert.deepEqual([open(["draw", "pause"]), open(["draw"])], [true, false]);
});

test("a match is saved where that is allowed", () => {
  assert.equal(all(choices(store(), NOW)).includes("save"), true);
  assert.equal(all(choices(store({ turn: 1, may: WAITING }), NOW)).includes("save"), false);
});

test("the second action is the first of draw, end and pause, and is saving where there is none of them", () => {
  const second = (...offer) => choices(store({ may: { offer } }), NOW).beside;
  assert.deepEqual([second("pause", "save"), second("pause")], [["pause"], ["pause"]]);
  assert.deepEqual([second("save"), second()], [["save"], []]);
});

test("what was allowed in another position is not shown in this one", () => {
  const moved = { type: "plies", after: 0, plies: [move(1, 0)], outcome: null };
  assert.deepEqual(all(choices(reduce(store(), moved), NOW)), ["flip"]);
  assert.deepEqual(all(choices(reduce(store(), { ...moved, may: MAY }), NOW)), ["draw", "resign", "draw", "save", "flip", "resign"]);
});

test("a request takes the place of everything else", () => {
  const look = choices(store({ offers: [offer("draw", 1)], may: { agree: ["draw"] } }), NOW);
  assert.equal(look.words, "Bo offers a draw.");
  assert.deepEqual([look.beside, look.row, look.menu], [[], ["accept", "decline"], ["flip"]]);
  assert.deepEqual(commandFor("accept", look), { type: "offer", kind: "draw" });
  assert.deepEqual(commandFor("decline", look), { type: "decline", kind: "draw" });
});

test("a request counts down in whole seconds, and is gone when nobody can agree any more", () => {
  const asked = store({ offers: [offer("draw", 1)], may: { agree: ["draw"] } });
  const { left, next } = choices(asked, NOW);
  assert.deepEqual([countdown(left), next], ["0:28", 300]);
  assert.equal(countdown(choices(asked, NOW + next).left), "0:27");
  assert.equal(choices(asked, NOW + 27_300).about, "");
});

test("what I have offered can be withdrawn, and I can still resign", () => {
  const look = choices(store({ offers: [offer("take-back", 0)] }), NOW);
  assert.equal(look.words, "You asked to take back a move.");
  assert.deepEqual(all(look), ["withdraw", "resign", "flip", "resign"]);
  assert.deepEqual(commandFor("withdraw", look), { type: "decline", kind: "take-back" });
});

test("who has agreed waits for the others", () => {
  const look = choices(store({ seats: 3, offers: [offer("end", 1, { agreed: [0, 1] })], may: { agree: ["end"] } }), NOW);
  assert.equal(look.words, "You accepted Bo’s offer.");
});

test("a request goes before what I wait for", () => {
  const look = choices(store({ offers: [offer("save", 0), offer("draw", 1)], may: { agree: ["draw"] } }), NOW);
  assert.equal(look.offer.kind, "draw");
});

test("the next ply ends all offers", () => {
  const asked = store({ offers: [offer("draw", 1)], may: { agree: ["draw"] } });
  const gone = reduce(asked, { type: "plies", after: 0, plies: [move(1, 0)], outcome: null, may: MAY });
  assert.equal(choices(gone, NOW).about, "");
});

test("a short absence goes unnoticed, a longer one counts down, then it may be claimed", () => {
  const seen = (ago) => choices(store({ turn: 1, away: away(ago), may: WAITING }), NOW);
  assert.deepEqual([seen(4_000).about, seen(4_000).next], ["", 1_000]);
  assert.equal(seen(18_000).words, "Bo has left. You can claim the win in 0:42.");
  assert.deepEqual(all(seen(18_000)), ["resign", "flip", "resign"]);
  assert.deepEqual([seen(60_000).words, seen(60_000).beside, seen(60_000).row], [
    "Bo has left. You can claim the win.",
    ["wait"],
    ["claim-win", "claim-draw"],
  ]);
});

test("an absence is told once, in words, and not every second", () => {
  const look = choices(store({ turn: 1, away: away(18_000), may: WAITING }), NOW);
  assert.equal(look.news, "Bo has left. You can claim the win in 42 seconds.");
  assert.equal(look.next, 1_000);
});

test("nobody is claimed where that is not allowed, or where the clock alone counts", () => {
  const halted = { halted: "paused", may: { ...WAITING, offer: ["resume"], claim: [] } };
  assert.equal(choices(store({ turn: 0, away: away(90_000) }), NOW).about, "");
  assert.equal(choices(store({ turn: 1, away: away(90_000), ...halted }), NOW).about, "halted");
  assert.equal(choices(store({ turn: 1, away: [{ ...away(90_000)[0], due: null }], may: WAITING }), NOW).about, "");
});

test("only the seat on turn is waited for", () => {
  assert.equal(choices(store({ seats: 3, turn: 1, away: away(90_000, 2), may: { ...WAITING, claim: ["caretaker"] } }), NOW).about, "");
});

test("at a larger table a bot may play on, or all may end it", () => {
  const may = { ...WAITING, offer: ["end"], claim: ["caretaker"] };
  const look = choices(store({ seats: 3, turn: 1, away: away(60_000), may }), NOW);
  assert.equal(look.words, "Bo has left. A bot can play on.");
  assert.deepEqual(look.row, ["claim-caretaker", "end"]);
  assert.deepEqual(commandFor("claim-caretaker", look), { type: "claim", kind: "caretaker" });
});

test("nobody claims a bot", () => {
  assert.equal(choices(store({ seats: 3, turn: 1, away: away(60_000), caretaken: [1], may: { ...WAITING, claim: [] } }), NOW).about, "thinking");
});

test("patience hides the claim for a while, and for that absence alone", () => {
  const absent = store({ turn: 1, away: away(70_000), may: WAITING });
  const patience = { since: NOW - 70_000, until: NOW + 5_000 };
  assert.deepEqual([choices(absent, NOW, patience).about, choices(absent, NOW, patience).next], ["", 5_000]);
  assert.equal(choices(absent, NOW + 5_000, patience).about, "claim");
  assert.equal(choices(absent, NOW, { ...patience, since: NOW - 90_000 }).about, "claim");
});

test("a paused match goes on at once, to a saved one the others are invited", () => {
  const may = { commands: ["resign", "decline"], offer: ["resume"] };
  assert.deepEqual(choices(store({ halted: "paused", may }), NOW).beside, ["resume"]);
  const saved = choices(store({ halted: "saved", may }), NOW);
  assert.deepEqual(saved.beside, ["invite"]);
  assert.deepEqual(commandFor("invite", saved), { type: "offer", kind: "resume" });
});

test("who is invited answers", () => {
  const look = choices(store({ halted: "saved", offers: [offer("resume", 1)], may: { offer: ["resume"], agree: ["resume"] } }), NOW);
  assert.deepEqual([look.words, look.row], ["Bo invites you to resume the match.", ["accept", "decline"]]);
});

test("whom a bot plays for takes the chair back, before anything else", () => {
  const look = choices(store({ seats: 3, caretaken: [0], offers: [offer("end", 1)], may: { commands: ["resign", "reclaim"], offer: [] } }), NOW);
  assert.deepEqual([look.words, look.beside], ["A bot is playing for you.", ["reclaim"]]);
});

test("after the end there is a rematch", () => {
  const outcome = { winners: [0], reason: "swept", scores: [] };
  const may = { commands: ["rematch"], offer: [] };
  const ended = (more) => choices(store({ outcome, may, ...more }), NOW).end;
  assert.deepEqual(ended({}), ["rematch", "new-opponent"]);
  assert.deepEqual(ended({ match: computer }), ["rematch", "another-level"]);
  assert.deepEqual(ended({ you: null }), []);
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

const IDLE = { away: [], present: [0, 1], idle_due: NOW - 1 };

test("a match without a clock that nobody has gone on with for long is claimed, whoever is there", () => {
  const look = choices(store({ turn: 1, may: WAITING, ...IDLE }), NOW);
  assert.equal(look.words, "Bo has not moved for a long time. You can claim the win.");
  assert.deepEqual([look.beside, look.row], [["wait"], ["claim-win", "claim-draw"]]);
});

test("until it has been idle for long nothing is claimed", () => {
  const look = choices(store({ turn: 1, may: WAITING, ...IDLE, idle_due: NOW + 1 }), NOW);
  assert.deepEqual(all(look).filter((choice) => choice.startsWith("claim")), []);
});

test("whoever waits sees no claim for a while", () => {
  const patient = { since: IDLE.idle_due, until: NOW + 60_000 };
  assert.notEqual(choices(store({ turn: 1, may: WAITING, ...IDLE }), NOW, patient).about, "claim");
});

test("a match saved long ago is claimed, ended without a result, or gone on with", () => {
  const may = { commands: ["resign", "decline"], offer: ["resume"], claim: ["win", "draw", "abort"] };
  const look = choices(store({ turn: 1, halted: "saved", may, ...IDLE }), NOW);
  assert.deepEqual([look.beside, look.row], [["invite"], ["claim-win", "claim-draw", "claim-abort"]]);
  assert.deepEqual(commandFor("claim-abort", look), { type: "claim", kind: "abort" });
  const saver = choices(store({ halted: "saved", may: { ...may, claim: ["abort"] }, ...IDLE }), NOW);
  assert.deepEqual(saver.row, ["claim-abort"]);
});
