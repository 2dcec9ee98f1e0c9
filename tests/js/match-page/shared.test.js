/** One board for several people: whoever holds it plays for all of them. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { openMatch } from "../dom/match.js";

const nearest = (page) => page.text("#mine .player-name");

async function shared(t, { holds = true, ...options } = {}) {
  const names = options.names ?? ["Anna", "Ben"];
  const seats = names.map((name, seat) => ({ seat, name, level: null }));
  const opened = await openMatch(t, { page: holds ? "match-shared" : "match-watched", you: null, match: { shared: true, seats }, ...options });
  if (holds) {
    await holder(opened.server);
  }
  return opened;
}

/** Who holds the board has no seat, and may what the seat on turn may. */
async function holder(server) {
  server.hold();
  await server.tell(server.snapshot());
}

test("whoever holds the board is told whose turn it is, and plays for them", async (t) => {
  const { page, server } = await shared(t);
  assert.equal(page.text("#headline"), "Anna to move");
  await page.press("1");
  assert.equal(server.asked("move").move, "1");
  await server.play();
  assert.equal(page.text("#headline"), "Ben to move");
  assert.deepEqual(page.findAll(".player-note-words").map((note) => note.textContent), ["to move", "waiting"]);
  assert.equal(page.text("#say-now"), "Anna sowed 3 seeds from pit 1. Ben to move. Sow any of your pits.");
  await page.press("8");
  assert.equal(server.asked("move").move, "2");
});

test("each of three at one board has a turn", async (t) => {
  const { page, server } = await shared(t, { names: ["Anna", "Ben", "Cleo"] });
  for (const [turn, name] of [[1, "Ben"], [2, "Cleo"], [0, "Anna"]]) {
    server.plies[server.ply].state = { ...server.plies[server.ply].state, turn };
    await server.play();
    assert.equal(page.text("#headline"), `${name} to move`);
  }
});

test("a draw at one board takes two presses and nobody's answer", async (t) => {
  const { page, server } = await shared(t, { ply: 1, game: "morris" });
  server.may = { ...server.may, offer: ["draw"] };
  await server.tell(server.snapshot());
  const draw = "[data-place=beside] [data-choice=draw]";
  await page.click(draw);
  assert.equal(page.text(draw), "Agree on a draw?");
  assert.equal(server.asked("offer"), undefined);
  await page.click(draw);
  assert.equal(server.asked("offer").kind, "draw");
});

test("the board turns to whoever moves once that is switched on, and stays so", async (t) => {
  const { page, server } = await shared(t);
  await server.play();
  assert.equal(nearest(page), "Anna");
  await page.press("m");
  await page.click("#turning");
  assert.equal(nearest(page), "Ben");
  await server.play();
  await page.until(() => nearest(page) === "Anna", "Anna nearest");
  assert.equal(page.window.localStorage.getItem("parlour:turning"), "on");
});

test("watchers of one board see whose turn it is and cannot play", async (t) => {
  const { page, server } = await shared(t, { holds: false });
  assert.equal(page.text("#headline"), "Anna to move");
  await page.press("2");
  await page.click("#board [data-cell='1']");
  assert.match(page.text("#notice"), /You are watching/);
  assert.equal(server.asked("move"), undefined);
});

test("a rematch begins at once for whoever holds the board", async (t) => {
  const { page, server } = await shared(t, { ply: 1 });
  await server.leave(1);
  assert.equal(page.text("#end-title"), "Anna won");
  assert.equal(page.text("#end-words"), "Ben resigned.");
  await page.click("#rematch");
  await server.tell({ type: "rematch", offered: [], match: "another" });
  assert.deepEqual(page.left.map(({ url }) => url), ["/m/another"]);
});

test("the menu of one board has its address as a picture", async (t) => {
  const { page } = await shared(t);
  await page.press("m");
  assert.ok(page.shows("#share .qr"));
});
