import assert from "node:assert/strict";
import { test } from "node:test";

import "../catalogue.js";

const { peopleWaiting, seekersBeside } = await import("../../../static/lobby/seekers.js");

const seek = (tile, people, rated = false) => ({ game: tile.split("/")[0], tile, rated, people });
const mine = { game: "kalah", preset: "circle", clock: "5+3", rated: false, seats: 2, waited: 3 };

test("whoever waits is no company for themselves", () => {
  assert.deepEqual(seekersBeside([seek("kalah/circle/5+3", 1)], mine), []);
  assert.equal(seekersBeside([seek("kalah/circle/5+3", 2)], mine)[0].people, 1);
});

test("those who wait for the same with another rating are others", () => {
  const seekers = seekersBeside([seek("kalah/circle/5+3", 1), seek("kalah/circle/5+3", 1, true)], mine);
  assert.deepEqual(seekers.map(({ id, people }) => [id, people]), [["kalah/circle/5+3 yes", 1]]);
});

test("a visitor sees everybody who waits", () => {
  assert.equal(seekersBeside([seek("kalah/circle/5+3", 1)], null).length, 1);
});

test("people in the queue and people at tables wait together, computers do not", () => {
  const seekers = seekersBeside([seek("kalah/circle/5+3", 2), seek("morris/nine/", 1)], null);
  const tables = [{ game: "kalah", levels: [null, 3] }, { game: "aces", levels: [null] }];
  assert.deepEqual(["kalah", "morris", "aces", "cantstop"].map((game) => peopleWaiting(game, seekers, tables)), [3, 1, 1, 0]);
});
