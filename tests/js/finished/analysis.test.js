/** How often the page of an analysis looks again. */

import "../catalogue.js";
import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.document ??= { getElementById: () => null };
const { nextWait } = await import("../../../static/finished/analysis.js");

test("as long as something new comes, it looks soon again", () => {
  assert.equal(nextWait(1_500, true), 1_500);
  assert.equal(nextWait(15_000, true), 1_500);
});

test("the longer nothing comes, the longer it waits, up to a limit", () => {
  assert.ok(nextWait(1_500, false) > 1_500);
  assert.equal(nextWait(14_000, false), 15_000);
});

const { plyWords } = await import("../../../static/finished/analysis-board.js");
const told = { name: "Ada", played: "2", worth: "5 %", best: "", lost: "" };

test("a move is told as its row in the table, under the number it has in the match", () => {
  assert.equal(plyWords(7, told), "Move 7: Ada played 2. Expected: 5 %.");
  const worse = { ...told, best: "6", lost: "14 seeds" };
  assert.equal(plyWords(7, worse), "Move 7: Ada played 2. Expected: 5 %. 6 was better; 14 seeds given away.");
});

test("what was not analysed has no worth", () => {
  assert.equal(plyWords(7, { ...told, worth: "" }), "Move 7: Ada played 2.");
});

test("a ply that nobody decided has its number", () => {
  assert.equal(plyWords(7, null), "7");
});
