/** The boards of the host of a simul: which waits for longest. */

import assert from "node:assert/strict";
import { test } from "node:test";

import "../catalogue.js";

const { queued } = await import("../../../static/lobby/simul.js");

const ALL = ["one", "two", "three", "four"];

test("boards that begin to wait stand behind those that wait already", () => {
  assert.deepEqual(queued(["three"], new Set(["one", "three"]), ALL), ["three", "one"]);
});

test("those that begin together stand by their numbers", () => {
  assert.deepEqual(queued([], new Set(["four", "two", "one"]), ALL), ["one", "two", "four"]);
});

test("a board that was played leaves, and is the last one when it waits again", () => {
  const played = queued(["one", "two"], new Set(["two"]), ALL);
  assert.deepEqual(queued(played, new Set(["one", "two"]), ALL), ["two", "one"]);
});

test("matches beside the simul do not count", () => {
  assert.deepEqual(queued(["other"], new Set(["other", "two"]), ALL), ["two"]);
});
