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
const told = { name: "Ada", played: "2", move: "2", better: "", worth: "5 %", best: "", lost: "" };

test("a move is told as its row in the table, under the number it has in the match", () => {
  assert.equal(plyWords(7, told), "Move 7: Ada played 2. Expected: 5 %.");
  const worse = { ...told, best: "6", lost: "14 seeds" };
  assert.equal(plyWords(7, worse), "Move 7: Ada played 2. Expected: 5 %. 6 was better; 14 seeds given away.");
});

for (const [move, better, sentences] of [
  ["roll", "stop", "Move 7: Ada rolled. Stopping was better; 7 % given away."],
  ["stop", "roll", "Move 7: Ada stopped. Rolling was better; 7 % given away."],
  ["swap", "4", "Move 7: Ada swapped sides. 4 was better; 7 % given away."],
  ["4", "swap", "Move 7: Ada played 4. Swapping sides was better; 7 % given away."],
]) {
  test(`${move} instead of ${better} is told in words`, () => {
    const words = { roll: "roll", stop: "stop", swap: "swap", 4: "4" };
    assert.equal(plyWords(7, { ...told, move, better, played: words[move], worth: "", best: words[better], lost: "7 %" }), sentences);
  });
}

test("what was not analysed has no worth", () => {
  assert.equal(plyWords(7, { ...told, worth: "" }), "Move 7: Ada played 2.");
});

test("a ply that nobody decided has its number", () => {
  assert.equal(plyWords(7, null), "7");
});
