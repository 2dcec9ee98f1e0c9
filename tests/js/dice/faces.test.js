import assert from "node:assert/strict";
import { test } from "node:test";

import { band, tally } from "../../../static/dice/faces.js";

/** The share of the binomial distribution from one count to another, by multiplying it out. */
function share(trials, chance, low, high) {
  const choose = (k) => Array.from({ length: k }, (_, i) => (trials - i) / (i + 1)).reduce((a, b) => a * b, 1);
  const counts = Array.from({ length: high - low + 1 }, (_, i) => low + i);
  return counts.reduce((sum, k) => sum + choose(k) * chance ** k * (1 - chance) ** (trials - k), 0);
}

for (const [trials, chance] of [[1, 1 / 6], [6, 1 / 6], [60, 1 / 6], [137, 1 / 6], [400, 1 / 2], [30, 1 / 20]]) {
  test(`the band of ${trials} trials at ${chance.toFixed(2)} holds 95 in 100 and no count to spare`, () => {
    const [low, high] = band(trials, chance);
    assert.ok(share(trials, chance, low, high) >= 0.95);
    assert.ok(low === 0 || share(trials, chance, 0, low) > 0.025);
    assert.ok(high === 0 || share(trials, chance, 0, high - 1) < 0.975);
  });
}

test("the band of very many trials is a band", () => {
  const [low, high] = band(60_000, 1 / 6);
  assert.ok(9_800 < low && low < 10_000 && 10_000 < high && high < 10_200, `${low} ${high}`);
});

test("a coin thrown once may fall either way", () => {
  assert.deepEqual(band(1, 1 / 2), [0, 1]);
});

test("a die of one side always falls on it", () => {
  assert.deepEqual(band(7, 1), [7, 7]);
});

test("every face is counted, the ones that never fell as well", () => {
  const [{ sides, dice, counts }] = tally([{ sides: 6, faces: [1, 1, 6] }, { sides: 6, faces: [1] }]);
  assert.deepEqual([sides, dice], [6, 4]);
  assert.deepEqual(counts.map(({ count }) => count), [3, 0, 0, 0, 0, 1]);
});

test("a face outside its band is above or below it", () => {
  const [{ counts }] = tally([{ sides: 6, faces: Array(60).fill(3) }]);
  assert.deepEqual(counts.map(({ place }) => place), ["below", "below", "above", "below", "below", "below"]);
});

test("dice of different kinds are counted apart", () => {
  const kinds = tally([{ sides: 6, faces: [2] }, { sides: 4, faces: [2, 3] }]);
  assert.deepEqual(kinds.map(({ sides, dice }) => [sides, dice]), [[4, 2], [6, 1]]);
});
