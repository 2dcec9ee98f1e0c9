/** The move list: two columns for two players without dice, else a row for each turn. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { openMatch } from "../dom/match.js";

const seats = (...names) => names.map((name, seat) => ({ seat, name, level: null }));
const rows = (page) => page.findAll("#moves > .turn").map((row) => row.textContent);

test("two players without dice have a column each, under their names, which are heard with every turn", async (t) => {
  const { page } = await openMatch(t, { page: "match", ply: 3, match: { seats: seats("Anna", "Ben") } });
  assert.deepEqual(page.findAll("#turns-names > span").map((name) => name.textContent), ["Anna", "Ben"]);
  assert.ok(rows(page)[0].startsWith("Anna") && rows(page)[1].startsWith("Ben"));
  assert.deepEqual(page.findAll("#moves > [data-second]").map((row) => row.textContent), rows(page).filter((row) => row.startsWith("Ben")));
  assert.equal(page.find("#turns-names").hidden, false);
});

test("a finished match leads on from the position on the board", async (t) => {
  const { page } = await openMatch(t, { ply: 3, outcome: { winners: [0], reason: "resigned", scores: [] } });
  const addresses = () => page.findAll("[data-onward]").map((link) => link.getAttribute("href"));
  assert.equal(page.find("#onward").hidden, false);
  assert.deepEqual(addresses(), ["/m/match/position/3", "/m/match/position/3#text"]);
  await page.click("#previous");
  assert.deepEqual(addresses(), ["/m/match/position/2", "/m/match/position/2#text"]);
});

test("a match in play does not", async (t) => {
  const { page } = await openMatch(t, { ply: 3 });
  assert.equal(page.find("#onward").hidden, true);
});

test("three players have a row for each turn", async (t) => {
  const { page } = await openMatch(t, { page: "match", ply: 3, match: { seats: seats("Anna", "Ben", "Cleo") } });
  assert.equal(page.find("#turns-names").hidden, true);
  assert.deepEqual(page.findAll(".turn-name").length, rows(page).length);
});

test("so have two with dice", async (t) => {
  const { page } = await openMatch(t, { page: "match-dice", game: "cantstop", ply: 3, match: { dice: { commitment: "c".repeat(64), words: ["", ""], secret: null } } });
  assert.equal(page.find("#turns-names").hidden, true);
  assert.equal(page.find("#moves").hasAttribute("data-paired"), false);
});

test("so have two of a match from a file, which has dice but no commitment", async (t) => {
  const { page } = await openMatch(t, { page: "match-dice", game: "cantstop", ply: 3 });
  assert.equal(page.find("#moves").hasAttribute("data-paired"), false);
});
