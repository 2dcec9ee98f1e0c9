import "../catalogue.js";
import assert from "node:assert/strict";
import { test } from "node:test";

const { valueWords } = await import("../../../static/positions/value.js");

test("a proved result names who wins, and by how much in games with points", () => {
  const names = ["Anna", "Ben"];
  assert.equal(valueWords({ result: 1, score: 4, turns: null }, 1, names), "Proved: Ben wins by 4.");
  assert.equal(valueWords({ result: -1, score: -2, turns: null }, 1, names), "Proved: Anna wins by 2.");
  assert.equal(valueWords({ result: -1, score: null, turns: 7 }, 0, names), "Proved: Ben wins.");
  assert.equal(valueWords({ result: 0, score: 0, turns: null }, 0, names), "Proved: a draw.");
});
