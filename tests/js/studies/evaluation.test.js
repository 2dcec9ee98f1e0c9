import "../catalogue.js";
import assert from "node:assert/strict";
import { test } from "node:test";

const { depthWords, evaluationWords } = await import("../../../static/studies/evaluation.js");

const LOOK = { seat: 0, shares: [1], moves: [], proved: false, depth: 7, line: [], turns: [], final: false };

test("a depth is told until the value is proved, and none where nothing deepens", () => {
  assert.deepEqual([LOOK, { ...LOOK, proved: true }, { ...LOOK, depth: null }].map(depthWords), ["Depth 7", "Proved", ""]);
});

test("an evaluation names the chances of who is to move, and the best move", () => {
  const look = { ...LOOK, seat: 1, shares: [0.38, 0.62], moves: [{ move: "3", share: 0.62 }, { move: "1", share: 0.5 }] };
  const shown = { position: "", names: ["Anna", "Ben"], nameOf: (/** @type {string} */ move) => `pit ${move}` };
  assert.equal(evaluationWords(look, shown), "Ben 62%. Best: pit 3.");
  assert.equal(evaluationWords({ ...look, proved: true }, shown), "Ben 62% (proved). Best: pit 3.");
});
