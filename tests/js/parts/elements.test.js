import assert from "node:assert/strict";
import { test } from "node:test";

import { find, findAll } from "../../../static/parts/elements.js";

class Thing {}
class Other {}

/** A part of a page that has these elements, whatever is looked for. */
const holding = (...elements) => ({ querySelector: () => elements[0] ?? null, querySelectorAll: () => elements });

test("what is there is found", () => {
  const thing = new Thing();
  assert.equal(find(holding(thing), "#thing", Thing), thing);
  assert.deepEqual(findAll(holding(thing), ".thing", Thing), [thing]);
});

test("an element that is missing is named", () => {
  assert.throws(() => find(holding(), "#thing", Thing), /The page has no Thing #thing\./);
});

test("an element of another kind is named", () => {
  assert.throws(() => find(holding(new Other()), "#thing", Thing), /The page has no Thing #thing\./);
  assert.throws(() => findAll(holding(new Thing(), new Other()), ".thing", Thing), /The page has no Thing \.thing\./);
});

test("nothing to find is an empty list", () => {
  assert.deepEqual(findAll(holding(), ".thing", Thing), []);
});
