import assert from "node:assert/strict";
import test from "node:test";

import { lessonReached, setLesson } from "../../../static/puzzles/course.js";

const LESSONS = [{ isNew: true }, { isNew: true }, { isNew: false }];

/** @returns {Storage} */
function storage() {
  const kept = new Map();
  return /** @type {Storage} */ (/** @type {unknown} */ ({ getItem: (key) => kept.get(key) ?? null, setItem: (key, text) => kept.set(key, text) }));
}

test("a course begins at its first lesson, and goes on where one left it", () => {
  const kept = storage();
  assert.equal(lessonReached(kept, "kalah", LESSONS), 0);
  setLesson(kept, "kalah", 1);
  setLesson(kept, "aces", 0);
  assert.equal(lessonReached(kept, "kalah", LESSONS), 1);
  assert.equal(lessonReached(kept, "aces", LESSONS), 0);
});

test("a lesson that goes on from the one before begins with that one", () => {
  const kept = storage();
  setLesson(kept, "kalah", 2);
  assert.equal(lessonReached(kept, "kalah", LESSONS), 1);
});

test("what is not a lesson is the first one", () => {
  const kept = storage();
  for (const stored of ["{\"kalah\":9}", "{\"kalah\":\"x\"}", "nonsense"]) {
    kept.setItem("parlour:courses", stored);
    assert.equal(lessonReached(kept, "kalah", LESSONS), 0);
  }
  assert.equal(lessonReached(null, "kalah", LESSONS), 0);
});
