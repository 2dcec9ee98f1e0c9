/** The days in a row of the daily puzzle, and what is shared of it. */

import "../catalogue.js";
import assert from "node:assert/strict";
import { test } from "node:test";

const { daysUpTo, setSolved, shareWords, streakWords } = await import("../../../static/puzzles/streak.js");

/** @param {string|null} [content] */
function storage(content = null) {
  let kept = content;
  return { getItem: () => kept, setItem: (_, value) => { kept = value; } };
}

test("a day after another adds one, the same day none, and a gap begins anew", () => {
  const kept = storage();
  assert.equal(setSolved(kept, "2026-02-28"), 1);
  assert.equal(setSolved(kept, "2026-03-01"), 2);
  assert.equal(setSolved(kept, "2026-03-01"), 2);
  assert.equal(daysUpTo(kept, "2026-03-02"), 2);
  assert.equal(daysUpTo(kept, "2026-03-03"), 0);
  assert.equal(setSolved(kept, "2026-03-03"), 1);
});

test("what cannot be read counts as nothing", () => {
  for (const content of ["null", "{", '{"day": 3}', "[]"]) {
    assert.equal(daysUpTo(storage(content), "2026-03-01"), 0);
  }
  assert.equal(setSolved(null, "2026-03-01"), 1);
});

test("the shared text says how it went and not what the answer is", () => {
  assert.equal(shareWords("Kalah", 1, 1), "Kalah. Solved in 1 try.");
  assert.equal(shareWords("Kalah", 3, 4), "Kalah. Solved in 3 tries. 4 days in a row.");
  assert.equal(streakWords(1), "");
});
