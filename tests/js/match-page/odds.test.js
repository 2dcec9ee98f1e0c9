import assert from "node:assert/strict";
import { test } from "node:test";

import "../catalogue.js";

const { oddsWords } = await import("../../../static/match-page/odds.js");
const { empty, reduce } = await import("../../../static/match/store.js");

/** A match after `ply` plies. */
function seen(ply) {
  const match = { id: "m", seats: [], dice: null };
  const state = { turn: 0 };
  return reduce(empty(), { type: "snapshot", match, you: 0, ply, start: state, state, outcome: null, watchers: 0, present: [] });
}

test("the chance told is shown in percent", () => {
  const told = (chance) => oddsWords(reduce(seen(3), { type: "odds", ply: 3, chance }));
  assert.deepEqual([0, 104 / 1296, 1].map(told), ["0%", "8%", "100%"]);
  assert.equal(told(563 / 1296), "43.4%");
});

test("where nothing is to be thrown there is no chance", () => {
  assert.match(oddsWords(reduce(seen(3), { type: "odds", ply: 3, chance: null })), /Nothing/);
});

test("a chance told of an earlier position holds no more", () => {
  assert.equal(oddsWords(reduce(seen(3), { type: "odds", ply: 2, chance: 0.5 })), "");
  assert.equal(oddsWords(seen(3)), "");
});
