import assert from "node:assert/strict";
import { test } from "node:test";

import "../catalogue.js";

import { listed, oneOf, say } from "../../../static/words/sentences.js";

const said = (/** @type {string} */ language) => {
  globalThis.gettext = (sentence) => (sentence === "en-GB" ? language : sentence);
  return [listed(["A", "B", "C"]), oneOf([1, 2, 3])];
};

test("lists are joined as the language of the page joins them", () => {
  assert.deepEqual(said("en-GB"), ["A, B and C", "1, 2 or 3"]);
  assert.deepEqual(said("ru"), ["A, B и C", "1, 2 или 3"]);
  assert.deepEqual(said("et"), ["A, B ja C", "1, 2 või 3"]);
});

test("what is alone stands alone, and of nothing there is nothing to say", () => {
  assert.deepEqual([listed(["A"]), oneOf([7]), listed([])], ["A", "7", ""]);
});

test("sentences are filled in by name", () => {
  assert.equal(say("%(name)s has %(count)s", { name: "Ann", count: 2 }), "Ann has 2");
});
