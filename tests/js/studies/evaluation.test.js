import "../catalogue.js";
import assert from "node:assert/strict";
import { test } from "node:test";

const { evaluationWords } = await import("../../../static/studies/evaluation.js");

test("an evaluation names the chances of who is to move, and the best move", () => {
  const look = { seat: 1, shares: [0.38, 0.62], moves: [{ move: "3", share: 0.62 }, { move: "1", share: 0.5 }], proved: false };
  const shown = { position: "", names: ["Anna", "Ben"], nameOf: (/** @type {string} */ move) => `pit ${move}` };
  assert.equal(evaluationWords(look, shown), "Ben 62%. Best: pit 3.");
  assert.equal(evaluationWords({ ...look, proved: true }, shown), "Ben 62% (proved). Best: pit 3.");
});
