import assert from "node:assert/strict";
import { test } from "node:test";

import "../catalogue.js";

const { bindDice } = await import("../../../static/match-page/dice.js");
const { createStore } = await import("../../../static/match/store.js");

/** What a browser sends of itself at a match of dice; `mine` are the words of its seat so far. */
function sent({ you = 0, mine = "", commands = ["words"] } = {}) {
  const store = createStore({ ask: () => {} });
  const dice = { commitment: "c".repeat(64), words: [mine, ""], secret: null };
  const match = { id: "m", seats: [], dice };
  const may = { commands, offer: [], agree: [], claim: [] };
  const state = { turn: 0 };
  const still = { halted: null, acted: [], left: [], caretaken: [] };
  const now = { ply: 0, start: state, state, outcome: null, watchers: 0, present: [], offers: [], ...still };
  store.dispatch({ type: "snapshot", match, you, may, ...now });
  const commanded = [];
  bindDice(null, { store, command: (command) => commanded.push(command) });
  return commanded;
}

test("a browser whose player adds no words adds random ones, once the promise is known", () => {
  const [first, ...others] = sent();
  assert.equal(first.type, "words");
  assert.match(first.words, /^[\w-]{22}$/);
  assert.deepEqual(others, []);
  assert.notEqual(sent()[0].words, first.words);
});

test("it leaves words alone that are there already, and adds none where nobody may", () => {
  assert.deepEqual(sent({ mine: "of my own" }), []);
  assert.deepEqual(sent({ commands: [] }), []);
  assert.deepEqual(sent({ you: null, commands: [] }), []);
});
