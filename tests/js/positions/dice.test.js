import assert from "node:assert/strict";
import { test } from "node:test";

import { facesIn, thrown } from "../../../static/positions/dice.js";

const DUE = { count: 4, sides: 6 };

test("a roll has as many faces as dice are due, each from 1 to the number of sides", () => {
  assert.deepEqual(thrown(DUE, () => 0), [1, 1, 1, 1]);
  assert.deepEqual(thrown(DUE, () => 0.9999), [6, 6, 6, 6]);
});

test("typed faces may be divided as one likes", () => {
  for (const text of ["3 4 1 6", "3,4,1,6", "3416", " [3, 4, 1, 6] "]) {
    assert.deepEqual(facesIn(text, DUE), [3, 4, 1, 6]);
  }
  assert.deepEqual(facesIn("10 2", { count: 2, sides: 12 }), [10, 2]);
});

test("other numbers of dice and other faces are no roll", () => {
  for (const text of ["", "341", "34166", "3 4 1 7", "0 1 2 3"]) {
    assert.equal(facesIn(text, DUE), null);
  }
});
