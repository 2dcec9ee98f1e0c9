/** What a player prepared for a position is not used in the one that a take-back brings. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { openMatch } from "../dom/match.js";

const LIVE = { notation: "3+2", initial: 180_000, increment: 2_000, per_move: 0, first_move: 30_000 };
const SLOW = { notation: "3d", initial: 0, increment: 0, per_move: 259_200_000, first_move: null };
const clocks = { left: [180_000, 180_000], running: 1, at: Date.UTC(2026, 0, 1, 12), fresh: [], budget: [0, 0] };
const cell = (name) => `#board [data-cell="${name}"]`;

/** Anna has seat 0, and it is Ben's turn. */
const opponentThinks = (t, options = {}) => openMatch(t, { ply: 1, match: { clock: LIVE }, snapshot: { clocks }, ...options });
const entered = (page) => page.findAll(".cell[data-premove]").map(({ dataset }) => dataset.cell);

test("premove is not played after the own move is taken back", async (t) => {
  const { page, server } = await opponentThinks(t);
  await page.click(cell(1));
  await server.takeBack(0, 0);
  assert.equal(page.text("#headline"), "Your turn");
  assert.equal(server.asked("move"), undefined);
  assert.deepEqual(entered(page), []);
  assert.match(page.text("#notice"), /Premove cancelled/);
});

test("premove is not in force after a move of the opponent is taken back", async (t) => {
  const { page, server } = await opponentThinks(t);
  await page.click(cell(1));
  await server.act("back:1:1", { seat: 1 });
  assert.deepEqual(entered(page), []);
  await page.click(cell(2));
  await server.act("back:1:1", { seat: 1 });
  assert.deepEqual(entered(page), []);
  assert.equal(server.asked("move"), undefined);
});

test("premove waits for missing plies and ends with a take-back among them", async (t) => {
  const { page, server } = await opponentThinks(t);
  await page.click(cell(1));
  const back = { number: 2, seat: 0, command: "an-act-0001", action: "back:0:0", dice: null, events: [], state: server.start.state, legal: server.start.legal };
  server.plies = [server.plies[0], back];
  server.ply = 2;
  await server.socket.lose();
  await page.time.pass(20_000);
  const again = await page.feed("match");
  server.socket = again;
  await again.open(server.snapshot({ clocks }));
  assert.equal(server.asked("move"), undefined);
  await server.tell(server.upTo(2, 1));
  await server.shown();
  assert.equal(server.asked("move"), undefined);
  assert.deepEqual(entered(page), []);
});

test("selected man is let go at a take-back", async (t) => {
  // Anna is on turn, and has a man in hand.
  const { page, server } = await openMatch(t, { game: "morris", ply: 2, media: [] });
  const selected = () => page.findAll('#board [aria-selected="true"]').map(({ dataset }) => dataset.cell);
  await page.click(cell("hand0"));
  assert.deepEqual(selected(), ["hand0"]);
  await server.takeBack(0, 0);
  assert.deepEqual(selected(), []);
});

test("typed text is cleared at a take-back", async (t) => {
  const { page, server } = await openMatch(t, { ply: 2 });
  await page.type("#command-text", "2", { enter: false });
  await server.takeBack(0, 0);
  assert.equal(page.find("#command-text").value, "");
  await page.press("Enter");
  assert.equal(server.asked("move"), undefined);
});

test("typed text is kept at a move", async (t) => {
  const { page, server } = await openMatch(t, { ply: 1 });
  await page.type("#command-text", "2", { enter: false });
  await server.play();
  assert.equal(page.find("#command-text").value, "2");
});

test("first press of Resign is forgotten at a take-back", async (t) => {
  const { page, server } = await openMatch(t, { ply: 2 });
  const resign = page.findAll("[data-choice=resign]").find((button) => button.checkVisibility());
  resign.click();
  await server.takeBack(0, 0);
  resign.click();
  assert.equal(server.asked("resign"), undefined);
  assert.equal(resign.getAttribute("aria-pressed"), "true");
});

test("conditional moves are stored for the position they were read for", async (t) => {
  const lines = [{ moves: ["1", "2"], mine: [false, true] }, { moves: ["4", "3"], mine: [false, true] }];
  const { page, server } = await openMatch(t, {
    page: "match-slow",
    ply: 1,
    match: { clock: SLOW },
    snapshot: { clocks },
    before: (page) => page.answer("/m/match/conditional", { ply: 1, lines }),
  });
  await page.until(() => page.findAll("#conditional li").length === 2, "the lines");
  await page.click("#conditional-bar button");
  page.answer("/m/match/conditional", {}, 503);
  await server.act("back:1:1", { seat: 1 });
  if (!page.find("#conditional").open) {
    await page.click("#conditional-bar button");
  }
  await page.click("#conditional li button");
  assert.equal(JSON.parse(page.fetched.at(-1).body).after, 1);
});
