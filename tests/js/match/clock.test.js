import assert from "node:assert/strict";
import { test } from "node:test";

import "../catalogue.js";

const { clockWords, createServerTime, face, faceOf, spoken, standing, untilChange } = await import("../../../static/match/clock.js");
const { empty, reduce } = await import("../../../static/match/store.js");
const { headline, notationOf, reasonWords, viewOf, wordsOf } = await import("../../../static/match/words.js");

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
const NOON = 1_800_000_000_000;
const LIVE = { initial: 5 * MINUTE, increment: 3_000, per_move: 0, first_move: MINUTE };
const SLOW = { initial: 0, increment: 0, per_move: 3 * DAY, first_move: null };
const clocks = (more = {}) => ({ left: [5 * MINUTE, 5 * MINUTE], running: 0, at: NOON, fresh: [], budget: [], ...more });

test("the running clock loses what has passed, the other stands", () => {
  assert.deepEqual(standing(LIVE, clocks(), 0, NOON + 2_500), { ms: 297_500, running: true, first: false, low: false, delay: 0 });
  assert.deepEqual(standing(LIVE, clocks(), 1, NOON + 2_500), { ms: 300_000, running: false, first: false, low: false, delay: 0 });
});

test("no clock goes below nothing, or back when the server's time seems to", () => {
  assert.equal(standing(LIVE, clocks(), 0, NOON + HOUR).ms, 0);
  assert.equal(standing(LIVE, clocks(), 0, NOON - 400).ms, 300_000);
});

test("after the end all clocks stand still", () => {
  const end = clocks({ left: [0, 1_500], running: null });
  assert.deepEqual(standing(LIVE, end, 0, NOON + HOUR), { ms: 0, running: false, first: false, low: false, delay: 0 });
  assert.equal(standing(LIVE, end, 1, NOON + HOUR).ms, 1_500);
});

test("before its first move a seat sees what it has for that", () => {
  const seen = standing(LIVE, clocks({ fresh: [0, 1] }), 0, NOON + 10_000);
  assert.deepEqual(seen, { ms: 50_000, running: true, first: true, low: false, delay: 0 });
  assert.equal(standing(LIVE, clocks({ fresh: [0, 1] }), 0, NOON + 45_000).low, true);
  assert.equal(standing(LIVE, clocks({ fresh: [0, 1] }), 1, NOON + 10_000).ms, 300_000);
});

test("time is low below twenty seconds or a tenth, and only where it runs", () => {
  const low = (control, ms, running = 0) => standing(control, clocks({ left: [ms, ms], running }), 0, NOON).low;
  assert.equal(low(LIVE, 30_000), false);
  assert.equal(low(LIVE, 29_999), true);
  assert.equal(low({ ...LIVE, initial: MINUTE }, 19_999), true);
  assert.equal(low({ ...LIVE, initial: MINUTE }, 20_000), false);
  assert.equal(low(LIVE, 5_000, 1), false);
  assert.equal(low(SLOW, 0.31 * DAY), false);
  assert.equal(low(SLOW, 0.29 * DAY), true);
});

for (const [ms, live, slow] of [
  [0, "0.0", "0.0"],
  [49, "0.0", "0.0"],
  [9_999, "9.9", "9.9"],
  [10_000, "0:10", "0:10"],
  [5 * MINUTE, "5:00", "5:00"],
  [5 * MINUTE - 1, "4:59", "4:59"],
  [HOUR + 2 * MINUTE + 3_000, "1:02:03", "1 h 2 min"],
  [2 * DAY + 3 * HOUR, "2 d 3 h", "2 d 3 h"],
]) {
  test(`${ms} ms are shown as ${live}`, () => {
    assert.equal(face(ms), live);
    assert.equal(face(ms, true), slow);
  });
}

test("the next tick is when the face has changed, and not before", () => {
  for (const ms of [9_999, 10_000, 10_001, 61_000, 299_999, 300_000, 5 * HOUR, 100, 1]) {
    const wait = untilChange(ms);
    assert.notEqual(face(ms - wait), ms < 100 ? "" : face(ms), String(ms));
    assert.equal(face(ms - wait + 1), face(ms), String(ms));
  }
  assert.equal(untilChange(0), Infinity);
});

test("time is said in its two largest parts", () => {
  assert.equal(spoken(0), "0 seconds");
  assert.equal(spoken(61_000), "1 minute 1 second");
  assert.equal(spoken(2 * MINUTE), "2 minutes");
  assert.equal(spoken(2 * DAY + 3 * HOUR + 4 * MINUTE), "2 days 3 hours");
  assert.equal(spoken(HOUR + 5_000), "1 hour");
});

test("all clocks are said on request", () => {
  assert.equal(clockWords(LIVE, clocks(), ["Ann", "Bo"], NOON + MINUTE), "Ann: 4 minutes, running. Bo: 5 minutes.");
  const first = clocks({ fresh: [0, 1] });
  assert.equal(clockWords(LIVE, first, ["Ann", "Bo"], NOON), "Ann: 1 minute for the first move. Bo: 5 minutes.");
  assert.equal(clockWords(null, null, ["Ann", "Bo"], NOON), "This match has no clock.");
});

test("the server's time goes on between messages, and the least late one counts", () => {
  let here = 1_000;
  const time = createServerTime(() => here);
  time.hear({ type: "snapshot", time: NOON });
  here += 500;
  assert.equal(time.now(), NOON + 500);
  time.hear({ type: "plies", time: NOON + 300 });
  assert.equal(time.now(), NOON + 500);
  time.hear({ type: "plies", time: NOON + 540 });
  assert.equal(time.now(), NOON + 540);
  time.hear({ type: "crowd" });
  time.hear({ type: "snapshot", time: NOON + 200 });
  assert.equal(time.now(), NOON + 200);
});

// In the store

const state = (turn) => ({ turn });
const ply = (number, more = {}) => ({
  number,
  seat: (number + 1) % 2,
  action: "1",
  dice: null,
  events: [],
  state: state(number % 2),
  clocks: clocks({ running: number % 2, at: NOON + number }),
  ...more,
});
const snapshot = (number, more = {}) => ({
  type: "snapshot",
  match: { id: "m", seats: [{ seat: 0, name: "Ann" }, { seat: 1, name: "Bo" }], dice: null, clock: LIVE },
  you: 0,
  ply: number,
  start: state(0),
  state: state(number % 2),
  outcome: null,
  clocks: clocks({ at: NOON + number }),
  time: NOON,
  watchers: 0,
  present: [],
  ...more,
});
const plies = (after, ...rows) => ({ type: "plies", after, plies: rows, outcome: null });
const after = (...messages) => messages.reduce(reduce, empty());

test("clocks come with the snapshot and with every ply", () => {
  assert.equal(after(snapshot(0)).clocks.at, NOON);
  assert.equal(after(snapshot(0), plies(0, ply(1), ply(2))).clocks.at, NOON + 2);
  assert.equal(after(snapshot(0, { clocks: undefined })).clocks, null);
});

test("older plies do not turn clocks back", () => {
  assert.equal(after(snapshot(2), plies(0, ply(1))).clocks.at, NOON + 2);
});

test("a pause replaces the clocks of the same ply, whether told or found in a snapshot", () => {
  const paused = clocks({ at: NOON + 90_000 });
  assert.equal(after(snapshot(2), { type: "clocks", ply: 2, clocks: paused }).clocks.at, NOON + 90_000);
  assert.equal(after(snapshot(2), snapshot(2, { clocks: paused })).clocks.at, NOON + 90_000);
  assert.equal(after(snapshot(3), { type: "clocks", ply: 2, clocks: paused }).clocks.at, NOON + 3);
  assert.equal(after(snapshot(2, { clocks: paused }), plies(1, ply(2))).clocks.at, NOON + 90_000);
});

// Endings

test("an aborted match says who did not come", () => {
  const end = ply(1, { seat: 0, action: "aborted:0" });
  const outcome = { winners: [], reason: "aborted", scores: [] };
  const store = after(snapshot(0), { ...plies(0, end), outcome });
  const view = viewOf(store, 0);
  assert.equal(headline(store), "No result");
  assert.equal(reasonWords(store, {}, view), "The match did not begin: you made no move in time.");
  assert.equal(wordsOf(store, end, {}, view), "The match did not begin: you made no move in time.");
  assert.equal(notationOf(end, {}, view), "The match did not begin: you made no move in time.");
});

test("a match that its organiser ended says so, also where nobody has moved", () => {
  const end = ply(1, { seat: 0, action: "stopped:0" });
  const store = after(snapshot(0), { ...plies(0, end), outcome: { winners: [], reason: "stopped", scores: [] } });
  assert.equal(headline(store), "No result");
  assert.equal(reasonWords(store, {}, viewOf(store, 0)), "The organiser ended the match without a result.");
});

test("who left for a reason that this page does not know has left all the same", () => {
  const end = ply(1, { seat: 0, action: "left:0:vanished", events: [{ kind: "left", seat: 0, reason: "vanished" }] });
  const store = after(snapshot(0), { ...plies(0, end), outcome: { winners: [1], reason: "vanished", scores: [] } });
  const view = viewOf(store, 0);
  assert.equal(reasonWords(store, {}, view), "You left the match.");
  assert.equal(wordsOf(store, end, {}, view), "You left the match.");
  assert.equal(notationOf(end, {}, view), "leaves");
});

const DELAYED = { ...LIVE, increment: 0, simple_delay: 3_000 };

test("a clock with a delay stands for that long, and says how long yet", () => {
  const at = (ms) => standing(DELAYED, clocks(), 0, NOON + ms);
  assert.deepEqual([at(0), at(2_000), at(3_000), at(4_000)].map(({ ms }) => ms), [300_000, 300_000, 300_000, 299_000]);
  assert.deepEqual([at(0), at(999), at(1_000), at(3_000)].map((each) => faceOf(each)), ["5:00 +3", "5:00 +3", "5:00 +2", "5:00"]);
});

test("a first move without a limit of its own has the time of its clock", () => {
  const now = standing({ ...LIVE, first_move: null }, clocks({ fresh: [0, 1] }), 0, NOON + 10_000);
  assert.deepEqual([now.ms, now.first], [290_000, true]);
});

test("the delay of a first move, and of the other clock, is not shown", () => {
  assert.equal(standing(DELAYED, clocks({ fresh: [0, 1] }), 0, NOON).delay, 0);
  assert.equal(standing(DELAYED, clocks(), 1, NOON).delay, 0);
});

test("a delay is drawn anew with every second of it", () => {
  assert.equal(untilChange(300_000, 3_000), 1_000);
  assert.equal(untilChange(300_000, 2_001), 1);
  assert.equal(untilChange(300_000, 400), 400);
});

test("a vacation is not charged, and the clock stands during it", () => {
  const control = { initial: 0, increment: 0, per_move: 3 * DAY, first_move: null };
  const vacations = [{ seat: 0, begins: NOON + DAY, ends: NOON + 6 * DAY }];
  const slow = clocks({ left: [3 * DAY, 3 * DAY], vacations });
  const at = (days, seat = 0) => standing(control, slow, seat, NOON + days * DAY);
  assert.deepEqual([at(0.5).ms, at(1).ms, at(5).ms, at(7).ms], [2.5 * DAY, 2 * DAY, 2 * DAY, DAY]);
  assert.deepEqual([at(0.5).running, at(1).running, at(5).running, at(7).running], [true, false, false, true]);
  assert.deepEqual(at(5).vacation, vacations[0]);
  assert.equal(at(7).vacation, undefined);
  assert.equal(at(5, 1).vacation, undefined);
});
