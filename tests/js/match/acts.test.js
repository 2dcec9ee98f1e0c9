import assert from "node:assert/strict";
import { test } from "node:test";

import { actOf, AT_FIRST, inEffect, lastPlayed, mayTakeBack, situationAfter } from "../../../static/match/acts.js";

/** A log as a list of [seat, action] or, for a throw, of faces. */
const log = (...rows) =>
  rows.map((row, i) => ({
    number: i + 1,
    seat: typeof row[0] === "number" && typeof row[1] === "string" ? row[0] : null,
    action: typeof row[1] === "string" ? row[1] : "dice",
    dice: typeof row[1] === "string" ? null : row,
  }));
const situation = (...rows) => log(...rows).reduce(situationAfter, AT_FIRST);

test("acts are told from moves, throws and departures", () => {
  assert.deepEqual(actOf("paused:1"), { kind: "paused", seat: 1, ply: null });
  assert.deepEqual(actOf("back:0:12"), { kind: "back", seat: 0, ply: 12 });
  for (const text of ["d6-d5", "6+8", "dice", "left:0:time", "paused", "paused:1:2", "back:0", "back:0:12345678"]) {
    assert.equal(actOf(text), null, text);
  }
});

test("moves make a seat one that has acted; throws and acts do not", () => {
  assert.deepEqual(situation([0, "roll"], [3, 4], [1, "paused:1"], [1, "resumed:1"]).acted, [0]);
  assert.deepEqual(situation([1, "1"], [0, "2"], [1, "1"]).acted, [0, 1]);
});

test("a match is halted until it is resumed", () => {
  assert.equal(situation([0, "paused:0"]).halted, "paused");
  assert.equal(situation([0, "saved:1"]).halted, "saved");
  assert.equal(situation([0, "saved:1"], [1, "resumed:0"]).halted, null);
});

test("a bot keeps a chair until its player takes it back or leaves for good", () => {
  assert.deepEqual(situation([0, "caretaker:2"]).caretaken, [2]);
  assert.deepEqual(situation([0, "caretaker:2"], [1, "caretaker:1"], [2, "reclaimed:2"]).caretaken, [1]);
  const left = situation([0, "caretaker:2"], [2, "left:2:resigned"]);
  assert.deepEqual([left.caretaken, left.left], [[], [2]]);
});

test("a situation knows its ply, and endings change nothing else", () => {
  assert.deepEqual(situation([0, "1"], [0, "agreed:0"]), { ...AT_FIRST, ply: 2, acted: [0] });
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

test("one's last decision may be taken back, also after the answer to it", () => {
  assert.equal(mayTakeBack(log([0, "1"], [1, "2"]), 0), true);
  assert.equal(mayTakeBack(log([0, "1"], [1, "2"]), 1), true);
  assert.equal(mayTakeBack(log([0, "1"], [0, "paused:0"], [0, "resumed:0"]), 0), true);
});

test("nothing is taken back across dice, after a departure, or twice", () => {
  assert.equal(mayTakeBack(log(), 0), false);
  assert.equal(mayTakeBack(log([0, "1"]), 1), false);
  assert.equal(mayTakeBack(log([0, "roll"], [3, 4, 5]), 0), false);
  assert.equal(mayTakeBack(log([0, "roll"], [3, 4, 5], [0, "7"]), 0), true);
  assert.equal(mayTakeBack(log([0, "1"], [1, "left:1:resigned"]), 0), false);
  assert.equal(mayTakeBack(log([0, "1"], [0, "back:0:0"]), 0), false);
});
