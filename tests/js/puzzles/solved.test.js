/** Which puzzles are solved, as a browser keeps it. */

import assert from "node:assert/strict";
import { test } from "node:test";

const { setSolvedPuzzle, solvedPuzzles } = await import("../../../static/puzzles/solved.js");

/** @param {string|null} [content] */
function storage(content = null) {
  let kept = content;
  return { getItem: () => kept, setItem: (_, value) => { kept = value; } };
}

test("a puzzle is solved once it is set, and stays so", () => {
  const kept = storage();
  assert.deepEqual([...solvedPuzzles(kept)], []);
  setSolvedPuzzle(kept, "0123abcd");
  setSolvedPuzzle(kept, "89abcdef");
  setSolvedPuzzle(kept, "0123abcd");
  assert.deepEqual([...solvedPuzzles(kept)], ["0123abcd", "89abcdef"]);
});

test("what is no list of keys counts for nothing, and so does a browser that keeps nothing", () => {
  for (const kept of [storage("{}"), storage("no JSON"), storage("[1, null]"), null]) {
    assert.deepEqual([...solvedPuzzles(kept)], []);
  }
});
