import assert from "node:assert/strict";
import { test } from "node:test";

import "../catalogue.js";

const { isMine, roomFor, whyNot } = await import("../../../static/lobby/rows.js");

const RATED = { rated: true, pool: "go nine two", lowest_rating: 1400, highest_rating: 1600 };
const CASUAL = "Guests play casual matches.";
const me = (ratings = {}, casual = "") => ({ name: "Ulno", casual, ratings });

test("everyone may sit down at a casual table", () => {
  assert.equal(whyNot({ ...RATED, rated: false }, me({}, CASUAL)), "");
});

test("whoever plays casual matches alone may not sit down at a rated table", () => {
  assert.equal(whyNot(RATED, me({}, CASUAL)), CASUAL);
});

for (const [rating, fits] of [
  [1399.4, false],
  [1399.6, true],
  [1600.4, true],
  [1600.6, false],
]) {
  test(`a rating of ${rating} ${fits ? "fits" : "does not fit"} between 1400 and 1600`, () => {
    assert.equal(whyNot(RATED, me({ "go nine two": rating })) === "", fits);
  });
}

test("whoever was never rated counts as 1500", () => {
  assert.equal(whyNot(RATED, me({ "go nine many": 1900 })), "");
  assert.match(whyNot({ ...RATED, lowest_rating: 1501 }, me()), /1500/);
});

test("an open side of the range keeps nobody away", () => {
  const open = { ...RATED, lowest_rating: null, highest_rating: null };
  assert.equal(whyNot(open, me({ "go nine two": 3000 })), "");
});

test("a table is mine where I sit and where I am challenged", () => {
  assert.ok(isMine({ taken: ["Artjom", "Ulno"], invited: null }, me()));
  assert.ok(isMine({ taken: ["Artjom"], invited: "Ulno" }, me()));
  assert.ok(!isMine({ taken: ["Artjom"], invited: "Third" }, me()));
});

test("nothing is a visitor's", () => {
  assert.ok(!isMine({ taken: ["Artjom"], invited: null }, { name: "", casual: CASUAL, ratings: {} }));
});

test("a challenge says whom it is for, another table how many may still sit down", () => {
  assert.equal(roomFor({ taken: ["Artjom"], seats: 2, invited: "Ulno" }, me()), "for you");
  assert.equal(roomFor({ taken: ["Ulno"], seats: 2, invited: "Artjom" }, me()), "for Artjom");
  assert.equal(roomFor({ taken: ["Artjom"], seats: 3, invited: null }, me()), "2 seats free");
});
