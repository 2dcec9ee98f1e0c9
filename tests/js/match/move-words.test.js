import assert from "node:assert/strict";
import { test } from "node:test";

import "../catalogue.js";

const { moveInWords, moveTyped } = await import("../../../static/match/move-words.js");

test("moves that are words are typed in English, in any case", () => {
  assert.deepEqual(["roll", "Stop", "SWAP"].map(moveTyped), ["roll", "stop", "swap"]);
});

test("and in the language of the page", () => {
  const english = globalThis.gettext;
  globalThis.gettext = (word) => ({ roll: "бросить", stop: "стоп", swap: "обмен" })[word] ?? word;
  assert.deepEqual(["Бросить", "стоп", "обмен", "roll"].map(moveTyped), ["roll", "stop", "swap", "roll"]);
  assert.deepEqual(["roll", "5+7"].map(moveInWords), ["бросить", "5+7"]);
  globalThis.gettext = english;
});

test("everything else is the move that it is", () => {
  assert.deepEqual(["3", "d6-d5", "5+7", "xD6", "constructor"].map(moveTyped), ["3", "d6-d5", "5+7", "xD6", "constructor"]);
  assert.equal(moveInWords("d6-d5"), "d6-d5");
});
