/** Premoves: a move entered while the opponent thinks is played when the turn comes, or dropped. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { openMatch } from "../dom/match.js";

const LIVE = { notation: "3+2", initial: 180_000, increment: 2_000, per_move: 0, first_move: 30_000 };
const SLOW = { notation: "3d", initial: 0, increment: 0, per_move: 259_200_000, first_move: null };
const NOON = Date.UTC(2026, 0, 1, 12);
const clocks = { left: [180_000, 180_000], running: 1, at: NOON, fresh: [], budget: [0, 0] };

/** Anna has seat 0, and it is Ben's turn. */
const opponentThinks = (t, { clock = LIVE, ...options } = {}) =>
  openMatch(t, { ply: 1, match: { clock }, snapshot: { clocks }, ...options });
const cell = (place) => `[data-cell="${place}"]`;
const entered = (page) => page.findAll(".cell[data-premove]").map(({ dataset }) => dataset.cell);
const notice = (page) => page.text("#notice");

test("a premove is shown, named and told, and not sent", async (t) => {
  const { page, server } = await opponentThinks(t);
  await page.click(cell(1));
  assert.deepEqual(entered(page), ["1"]);
  assert.match(page.find(cell(1)).getAttribute("aria-label"), /premove/);
  assert.match(notice(page), /Premove 2\..*Escape/);
  assert.equal(server.asked("move"), undefined);
});

test("it is sent about the position that has come, once it is legal there", async (t) => {
  const { page, server } = await opponentThinks(t);
  await page.click(cell(1));
  await server.play();
  const { move, after } = server.asked("move");
  assert.deepEqual([move, after], ["2", 2]);
  assert.deepEqual(entered(page), []);
  assert.equal(server.socket.of("move").length, 1);
});

test("what is not legal then is dropped with a sentence", async (t) => {
  const { page, server } = await opponentThinks(t);
  await page.click(cell(0));
  server.plies[1] = { ...server.plies[1], legal: ["2", "3"] };
  await server.play();
  assert.equal(server.asked("move"), undefined);
  assert.match(notice(page), /premove 1 is no longer legal/);
  assert.deepEqual(entered(page), []);
});

test("another premove takes the place of the first", async (t) => {
  const { page, server } = await opponentThinks(t);
  await page.click(cell(1));
  await page.click(cell(2));
  assert.deepEqual(entered(page), ["2"]);
  await server.play();
  assert.equal(server.asked("move").move, "3");
});

for (const [how, cancel] of [
  ["a press on it", (page) => page.click(cell(1))],
  ["Escape on the board", (page) => page.press("Escape")],
  ["Escape anywhere", (page) => (page.document.activeElement.blur(), page.press("Escape"))],
  ["a right click", (page) => page.find(cell(3)).dispatchEvent(new page.window.Event("contextmenu", { bubbles: true, cancelable: true }))],
]) {
  test(`${how} cancels it`, async (t) => {
    const { page, server } = await opponentThinks(t);
    await page.click(cell(1));
    await cancel(page);
    assert.deepEqual(entered(page), []);
    assert.match(notice(page), /Premove cancelled/);
    await server.play();
    assert.equal(server.asked("move"), undefined);
  });
}

test("the keys of the pits enter it", async (t) => {
  const { page } = await opponentThinks(t);
  await page.press("2");
  assert.deepEqual(entered(page), ["1"]);
});

test("it does not survive the end of the match", async (t) => {
  const { page, server } = await opponentThinks(t);
  await page.click(cell(1));
  await server.leave(1);
  assert.deepEqual(entered(page), []);
  assert.equal(server.asked("move"), undefined);
});

for (const [why, options] of [
  ["without a live clock", { clock: null, snapshot: {} }],
  ["with days for a move", { clock: SLOW }],
  ["where they are switched off", { settings: { premove: "off" } }],
  ["where every move is confirmed", { settings: { confirm: "on" } }],
]) {
  test(`there are none ${why}`, async (t) => {
    const { page } = await opponentThinks(t, options);
    await page.click(cell(1));
    assert.deepEqual(entered(page), []);
    assert.match(notice(page), /It is Ben’s turn/);
  });
}

test("at Nine Men’s Morris a man is placed, and a taken point refused", async (t) => {
  const { page, server } = await opponentThinks(t, { game: "morris" });
  await page.click(cell("a1"));
  assert.deepEqual(entered(page), []);
  await page.click(cell("d1"));
  assert.deepEqual(entered(page), ["d1"]);
  await server.play();
  assert.equal(server.asked("move").move, "d1");
});
