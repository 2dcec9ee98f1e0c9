// Which boards come first, and which stay where they are.

import assert from "node:assert/strict";
import test from "node:test";

import { mostWatchedFirst, steady } from "../../../static/lobby/watch-order.js";

const items = (ids) => [...ids].map((id) => ({ id }));
const ids = (list) => list.map(({ id }) => id).join("");

test("the most watched comes first", () => {
  const counts = new Map([["b", 2], ["c", 5]]);
  assert.equal(ids(mostWatchedFirst(items("abc"), counts)), "cba");
});

test("those that equally many watch stay in their order, the newest first", () => {
  assert.equal(ids(mostWatchedFirst(items("cab"), new Map())), "cab");
});

test("under somebody's hand nothing moves, and what is new comes last", () => {
  assert.equal(ids(steady(items("dcba"), ["a", "b", "c"])), "abcd");
});

test("what is gone is gone", () => {
  assert.equal(ids(steady(items("ca"), ["a", "b", "c"])), "ac");
});
