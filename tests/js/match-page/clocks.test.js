/** Clocks on the match page: what they show as time passes, who is told of it, and how they are asked for. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { hear } from "../dom/hearing.js";
import { openMatch } from "../dom/match.js";

const LIVE = { notation: "5+3", initial: 300_000, increment: 3_000, per_move: 0, first_move: 30_000 };
const SLOW = { notation: "3d", initial: 0, increment: 0, per_move: 259_200_000, first_move: null };
const NOON = Date.UTC(2026, 0, 1, 12);
const clock = (page, seat) => page.find(`.player[data-seat='${seat}'] .player-clock`);
const shown = (page, seat) => page.text(`.player[data-seat='${seat}'] .player-clock .number`);
const note = (page, seat) => page.text(`.player[data-seat='${seat}'] .player-note-words`);
const standing = (more = {}) => ({ left: [300_000, 300_000], running: 0, at: NOON, fresh: [], budget: [0, 0], ...more });

function timed(t, clocks, { clock: control = LIVE, ...options } = {}) {
  return openMatch(t, { match: { clock: control }, snapshot: { clocks: standing(clocks) }, ...options });
}

async function asked(page, command) {
  await page.type("#command-text", command);
  return page.until(() => page.text("#answer"), "an answer");
}

test("a running clock ticks, and the other stands", async (t) => {
  const { page } = await timed(t, {}, { you: null });
  assert.equal(shown(page, 0), "5:00");
  await page.time.pass(61_000);
  assert.equal(shown(page, 0), "3:59");
  assert.equal(shown(page, 1), "5:00");
  assert.ok(clock(page, 0).hasAttribute("data-running"));
  assert.ok(!clock(page, 1).hasAttribute("data-running"));
});

test("the clock of a first move counts the time for it", async (t) => {
  const { page } = await timed(t, { fresh: [0, 1] }, { you: null });
  assert.match(note(page, 0), /first move/);
  await page.time.pass(10_000);
  assert.equal(shown(page, 0), "0:20");
  assert.equal(shown(page, 1), "5:00");
});

test("a clock that gets low says so in words, and shows tenths at last", async (t) => {
  const { page } = await timed(t, { left: [40_000, 300_000] }, { you: null });
  assert.ok(!clock(page, 0).hasAttribute("data-low"));
  await page.time.pass(15_000);
  assert.ok(clock(page, 0).hasAttribute("data-low"));
  assert.match(note(page, 0), /low on time/);
  await page.time.pass(20_000);
  assert.match(shown(page, 0), /^[45]\.\d$/);
  await page.time.pass(10_000);
  assert.equal(shown(page, 0), "0.0");
});

test("when a flag has fallen both clocks stand, and everybody is told", async (t) => {
  for (const [you, headline] of [[0, "Ben won"], [1, "You won"], [null, "Ben won"]]) {
    const { page, server } = await timed(t, { left: [2_000, 300_000] }, { you, ply: 2 });
    await page.time.pass(2_000);
    const outcome = { winners: [1], reason: "time", scores: [0, 0] };
    const clocks = standing({ left: [0, 300_000], running: null });
    const events = [{ kind: "left", seat: 0, reason: "time" }];
    server.plies = [...server.plies.slice(0, 2), { number: 3, seat: 0, action: "left:0:time", dice: null, events, state: { ...server.position.state, ended: outcome }, clocks }];
    server.outcome = outcome;
    await server.play();
    assert.equal(page.text("#headline"), headline);
    assert.match(page.text("#reason"), /ran out of time/);
    assert.match(page.text("#moves"), /out of time/);
    assert.equal(shown(page, 0), "0.0");
    await page.time.pass(5_000);
    assert.equal(shown(page, 1), "5:00");
    assert.equal(page.findAll(".player-clock[data-running]").length, 0);
  }
});

test("a match whose first move did not come in time has no result", async (t) => {
  const { page, server } = await timed(t, { fresh: [0, 1] }, { you: 1 });
  const outcome = { winners: [], reason: "aborted", scores: [] };
  await server.act("aborted:0", { command: null, outcome });
  assert.equal(page.text("#headline"), "No result");
  assert.match(page.text("#reason"), /Anna made no move in time/);
  assert.match(page.text("#moves"), /did not begin/);
  assert.ok(!page.shows("#resign"));
  assert.ok(page.shows("#rematch"));
});

test("clocks are said on request, and stand in no live region", async (t) => {
  const { page } = await timed(t, { left: [170_000, 180_000] }, { you: null });
  assert.equal(await asked(page, "clock"), "Anna: 2 minutes 50 seconds, running. Ben: 3 minutes.");
  const timers = page.findAll(".player-clock [role=timer]");
  assert.equal(timers.length, 2);
  for (const timer of timers) {
    assert.equal(timer.closest("[aria-live]:not([aria-live=off]), [role=status], [role=log]"), null);
  }
});

test("a match without a clock shows none and says so", async (t) => {
  const { page } = await openMatch(t, { you: null });
  assert.ok(clock(page, 0).hidden);
  assert.equal(await asked(page, "clock"), "This match has no clock.");
});

test("a slow clock counts days", async (t) => {
  const { page } = await timed(t, { left: [259_200_000, 259_200_000], at: NOON - 3_600_000 - 1 }, { clock: SLOW, you: null });
  assert.equal(shown(page, 0), "2 d 22 h");
  assert.equal(shown(page, 1), "3 d 0 h");
  assert.match(note(page, 0), /to move/);
});

test("low time is heard once, by its player alone", async (t) => {
  for (const [you, heard] of [[0, [587, 587]], [1, []], [null, []]]) {
    const pitches = [];
    const before = ({ window }) => hear(window, pitches);
    const { page } = await timed(t, { left: [40_000, 300_000] }, { you, settings: { sound: "on" }, before });
    await page.time.pass(15_000);
    await page.time.pass(15_000);
    assert.deepEqual(pitches, heard);
  }
});

test("after a lost connection the clock shows the time as the server has it", async (t) => {
  const { page, server } = await timed(t, { left: [30_000, 30_000] }, { you: null });
  await server.socket.lose();
  await page.time.pass(31_000);
  assert.equal(shown(page, 0), "0.0");
  assert.ok(page.shows("#banner"));
  const again = await page.feed("match");
  assert.notEqual(again, server.socket);
  server.socket = again;
  await again.open(server.snapshot({ clocks: standing({ left: [25_000, 30_000], at: server.now }) }));
  assert.equal(shown(page, 0), "0:25");
});

test("with days per move a vacation is announced, and nobody is away", async (t) => {
  const day = 86_400_000;
  const clocks = standing({ left: [3 * day, 3 * day], running: 1 });
  const { page, server } = await openMatch(t, { match: { clock: SLOW }, snapshot: { clocks, present: [0] } });
  assert.equal(note(page, 1), "waiting");
  const told = (begins, ends) => server.tell({ type: "clocks", ply: 0, clocks, time: server.now, vacations: [{ seat: 1, begins, ends }] });
  told(server.now + day, server.now + 5 * day);
  await page.until(() => /On vacation from \w+ \w+: Ben\./.test(page.text("#reason")), "the planned vacation");
  told(server.now - day, server.now + 5 * day);
  await page.until(() => /\. On vacation until \w+ \w+: Ben\.$/.test(page.text("#reason")), "the vacation");
  assert.match(note(page, 1), /on vacation/);
  assert.ok(!clock(page, 1).hasAttribute("data-running"));
});
