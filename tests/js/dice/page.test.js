import assert from "node:assert/strict";
import { test } from "node:test";

import { allowed } from "../allowed.js";
import "../catalogue.js";

const { bandWords, problemWords, resultWords, soundWords } = await import("../../../static/dice/words.js");
const { myWords } = await import("../../../static/match-page/dice.js");
const { notePromise, notedPromise } = await import("../../../static/dice/promise.js");
const { empty, reduce } = await import("../../../static/match/store.js");

const WRONG = { code: "faces", ply: 4, faces: [1, 2], expected: [3, 2] };

test("what is wrong is said plainly", () => {
  assert.equal(problemWords(WRONG), "Ply 4 shows 1 2 instead of 3 2.");
  assert.match(problemWords({ code: "order", ply: 4 }), /ply 4/);
  const sentences = ["shape", "secret", "promise", "noted"].map((code) => problemWords({ code }));
  assert.equal(new Set(sentences).size, 4);
});

test("each throw says what it came to", () => {
  const results = [2, 4, 6].map((ply) => resultWords({ ply }, [WRONG, { code: "order", ply: 6 }]));
  assert.deepEqual(results, ["matches", "wrong, should be 3 2", "in the wrong place"]);
});

test("the verdict counts the throws, and says whether the promise was noted", () => {
  assert.match(soundWords(1, false), /the only roll/);
  assert.match(soundWords(7, false), /all 7 rolls/);
  assert.match(soundWords(0, false), /No dice were rolled/);
  assert.doesNotMatch(soundWords(7, false), /saved the same fingerprint/);
  assert.match(soundWords(7, true), /saved the same fingerprint/);
});

test("the bands are explained for the number of dice", () => {
  assert.match(bandWords({ dice: 120, sides: 6 }), /^120 dice with 6 sides were rolled\. .*95 times in 100/);
});

/** A storage as browsers have it. */
function storage() {
  const kept = new Map();
  return { getItem: (name) => kept.get(name) ?? null, setItem: (name, value) => kept.set(name, value) };
}

test("the first promise noted stays", () => {
  const kept = storage();
  notePromise(kept, "m1", "aa");
  notePromise(kept, "m1", "bb");
  assert.equal(notedPromise(kept, "m1"), "aa");
  assert.equal(notedPromise(kept, "m2"), undefined);
});

test("without a storage nothing is noted, and nothing breaks", () => {
  const full = { getItem: () => null, setItem: () => { throw new Error("full"); } };
  for (const kept of [null, full]) {
    notePromise(kept, "m1", "aa");
    assert.equal(notedPromise(kept, "m1"), undefined);
  }
});

/** A match seen by `you` after `ply` plies. */
function seen(you, ply, dice = { commitment: "c", words: ["", "clover"], secret: null }) {
  const match = { id: "m", seats: [{ seat: 0, name: "Ann" }, { seat: 1, name: "Bo" }], dice };
  const state = { turn: 0 };
  const may = allowed({ you, turn: 0, ply });
  return reduce(empty(), { type: "snapshot", match, you, ply, start: state, state, outcome: null, may, watchers: 0, present: [] });
}

test("words can be added by players, before the first ply, to dice", () => {
  assert.equal(myWords(seen(0, 0)), "");
  assert.equal(myWords(seen(1, 0)), "clover");
  assert.equal(myWords(seen(null, 0)), null);
  assert.equal(myWords(seen(0, 1)), null);
  assert.equal(myWords(seen(0, 0, null)), null);
});
