import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { check, commitment, throwDice } from "../../../static/dice/check_dice.js";

const VECTORS = JSON.parse(await readFile(new URL("../../data/dice_vectors.json", import.meta.url), "utf8"));

/** @param {(sealed: any) => void} alter */
async function codes(alter) {
  const sealed = structuredClone(VECTORS.sealed);
  alter(sealed);
  return (await check(sealed)).map((problem) => problem.code);
}

for (const { secret, commitment: expected } of VECTORS.commitments) {
  test(`the commitment of ${secret.slice(0, 8)} is the server's`, async () => {
    assert.equal(await commitment(secret), expected);
  });
}

for (const [at, { secret, words, match, ply, count, sides, faces }] of VECTORS.throws.entries()) {
  test(`throw ${at} of the vectors falls as the server's`, async () => {
    assert.deepEqual(await throwDice(secret, words, match, ply, { count, sides }), faces);
  });
}

test("an honest file has no problems", async () => {
  assert.deepEqual(await check(VECTORS.sealed), []);
});

test("an honest file keeps the promise noted", async () => {
  assert.deepEqual(await check(VECTORS.sealed, ` ${VECTORS.sealed.commitment.toUpperCase()}\n`), []);
});

test("another promise than the one noted is caught", async () => {
  assert.deepEqual(await check(VECTORS.sealed, "0".repeat(64)), [{ code: "noted" }]);
});

test("an altered face is caught and the right faces are named", async () => {
  const sealed = structuredClone(VECTORS.sealed);
  const altered = sealed.throws[1];
  const expected = [...altered.faces];
  altered.faces[0] = (altered.faces[0] % 6) + 1;
  assert.deepEqual(await check(sealed), [{ code: "faces", ply: 4, faces: altered.faces, expected }]);
});

test("an altered word is caught", async () => {
  const wrong = await codes((sealed) => {
    sealed.words[0] = "clovers";
  });
  assert.deepEqual(wrong, ["faces", "faces", "faces"]);
});

test("an altered order of the words is caught", async () => {
  assert.deepEqual(await codes((sealed) => sealed.words.reverse()), ["faces", "faces", "faces"]);
});

test("an altered order of the throws is caught", async () => {
  assert.deepEqual(await codes((sealed) => sealed.throws.reverse()), ["order", "order"]);
});

test("an altered secret is caught", async () => {
  const wrong = await codes((sealed) => {
    sealed.secret = "0".repeat(64);
  });
  assert.equal(wrong[0], "promise");
});

test("a secret that is no hexadecimal number is caught", async () => {
  const wrong = await codes((sealed) => {
    sealed.secret = "easy to guess";
  });
  assert.equal(wrong[0], "secret");
});

const MISSHAPEN = {
  "another format": { format: "parlour-dice-2" },
  "a word that is no text": { words: [1] },
  "half a letter": { words: ["\ud800"] },
  "a die without sides": { throws: [{ ply: 1, count: 1, sides: 0, faces: [1] }] },
  "too many dice": { throws: [{ ply: 1, count: 1e9, sides: 6, faces: [1] }] },
  "no faces": { throws: [{ ply: 1, count: 1, sides: 6 }] },
};

for (const [name, part] of Object.entries(MISSHAPEN)) {
  test(`a file with ${name} is refused`, async () => {
    assert.deepEqual(await check({ ...VECTORS.sealed, ...part }), [{ code: "shape" }]);
  });
}

test("words of any alphabet are words", async () => {
  const wrong = await codes((sealed) => {
    sealed.words[0] = "пять 🎲";
  });
  assert.deepEqual(wrong, ["faces", "faces", "faces"]);
});

test("a file of something else is refused", async () => {
  assert.deepEqual(await check(null), [{ code: "shape" }]);
});
