import assert from "node:assert/strict";
import { test } from "node:test";

import { actOf, departureOf, inEffect, lastPlayed } from "../../../static/match/acts.js";

/** A log as a list of [seat, action] or, for a throw, of faces. */
const log = (...rows) =>
  rows.map((row, i) => ({
    number: i + 1,
    seat: typeof row[0] === "number" && typeof row[1] === "string" ? row[0] : null,
    action: typeof row[1] === "string" ? row[1] : "dice",
    dice: typeof row[1] === "string" ? null : row,
  }));

test("acts are told from moves, throws and departures", () => {
  assert.deepEqual(actOf("paused:1"), { kind: "paused", seat: 1, ply: null });
  assert.deepEqual(actOf("back:0:12"), { kind: "back", seat: 0, ply: 12 });
  for (const text of ["d6-d5", "6+8", "dice", "left:0:time", "paused", "paused:1:2", "back:0", "back:0:12345678"]) {
    assert.equal(actOf(text), null, text);
  }
});

test("departures are told from everything else", () => {
  assert.deepEqual(departureOf("left:2:time"), { seat: 2, reason: "time" });
  for (const text of ["left:2", "paused:1", "1"]) {
    assert.equal(departureOf(text), null, text);
  }
});

test("plies taken back are not in effect, also when a take-back is followed by another", () => {
  const plies = log([0, "1"], [1, "2"], [0, "3"], [0, "back:0:2"], [0, "4"], [1, "5"], [0, "back:0:1"], [1, "6"]);
  assert.deepEqual(inEffect(plies, plies.length).map(({ action }) => action), ["1", "6"]);
  assert.deepEqual(inEffect(plies, 6).map(({ action }) => action), ["1", "2", "4", "5"]);
});

test("the last move stays the last through a pause, and is the one before after a take-back", () => {
  const plies = log([0, "1"], [1, "2"], [1, "paused:1"], [1, "back:1:1"]);
  assert.deepEqual([0, 1, 2, 3, 4].map((number) => lastPlayed(plies, number)?.action), [undefined, "1", "2", "2", "1"]);
});
