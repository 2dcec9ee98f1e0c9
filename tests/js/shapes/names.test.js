import assert from "node:assert/strict";
import { test } from "node:test";

import { fitted } from "../../../static/shapes/names.js";

test("a name that has room stays as it is", () => {
  assert.deepEqual(fitted("Sharp-Yak", 186, 18), { words: "Sharp-Yak", size: 18 });
  assert.deepEqual(fitted("", 186, 18), { words: "", size: 18 });
});

test("one that has little room is written smaller, and whole", () => {
  const { words, size } = fitted("Dashing-Flamingo", 124, 15.5);
  assert.equal(words, "Dashing-Flamingo");
  assert.ok(size < 15.5 && size > 12);
});

test("bold letters need more room", () => {
  assert.ok(fitted("Mellow-Hoopoe", 124, 15.5, true).size < fitted("Mellow-Hoopoe", 124, 15.5).size);
});

test("only what has no room then either is cut", () => {
  const { words, size } = fitted("Mmmmmmmmmmmmmmmmmmmm", 124, 15.5);
  assert.match(words, /^Mm+…$/);
  assert.equal(size, 12.4);
  assert.equal(fitted("Mmmmmmmmmmmmmmmmmmmm", 1, 15.5).words, "M…");
});
