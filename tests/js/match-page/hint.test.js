/** What a hint says, and which requests are made. */

import "../catalogue.js";
import assert from "node:assert/strict";
import { test } from "node:test";

const { bindHint, hintWords, hintedMove } = await import("../../../static/match-page/hint.js");
const { empty, reduce } = await import("../../../static/match/store.js");

const onTurn = (ply) => ({
  ...empty(),
  match: { seats: [{ name: "Ada" }, { name: "Bob" }] },
  you: 0,
  live: { ply, state: { turn: 0 }, outcome: null, legal: ["1", "3"] },
});
const told = (fields) => reduce(onTurn(4), { type: "hint", ply: 4, move: "3", share: 0.6, score: 2, proved: false, ...fields });
const words = (fields) => hintWords(told(fields), (move) => move);

test("a hint names its move", () => {
  assert.equal(words({}), "Hint: 3");
});

test("a move is called as its button is", () => {
  assert.equal(hintWords(told({}), () => "Throw"), "Hint: Throw");
});

test("what is proved is said", () => {
  assert.equal(words({ proved: true, share: 1, score: 4 }), "Hint: 3, wins by 4");
  assert.equal(words({ proved: true, share: 0, score: -4 }), "Hint: 3, loses by 4");
  assert.equal(words({ proved: true, share: 0.5, score: 0 }), "Hint: 3, draws");
});

test("games that count no points win all the same", () => {
  assert.equal(words({ proved: true, share: 1, score: null }), "Hint: 3, wins");
  assert.equal(words({ proved: true, share: 0, score: null }), "Hint: 3, loses");
});

test("a hint is about one position", () => {
  assert.equal(words({ ply: 3 }), "");
  assert.equal(hintedMove(told({ ply: 3 })), null);
  assert.equal(hintedMove(told({})), "3");
});

test("while an earlier position is looked at, nothing is marked", () => {
  assert.equal(hintedMove({ ...told({}), cursor: 2 }), null);
});

/** A page without a button, as where a hint can be typed alone. */
function page(store) {
  const sent = [];
  const here = { get: () => store };
  const hint = bindHint(null, { send: (request) => sent.push(request), store: here, labelOf: (move) => move });
  return {
    sent,
    ask: hint.ask,
    told(message) {
      store = reduce(store, message);
      hint.update(store, message);
    },
  };
}

test("asking twice is asking once", () => {
  const here = page(onTurn(4));
  assert.match(here.ask(), /Thinking/);
  here.ask();
  assert.equal(here.sent.length, 1);
  assert.equal(here.sent[0].after, 4);
});

test("what is known is not asked again", () => {
  const here = page(told({}));
  assert.equal(here.ask(), "Hint: 3");
  assert.equal(here.sent.length, 0);
});

test("a refusal, or a new connection, ends the waiting", () => {
  for (const end of [(id) => ({ type: "refused", id, code: "no-hint", detail: "" }), () => ({ type: "snapshot", ...snapshot })]) {
    const here = page(onTurn(4));
    here.ask();
    here.told(end(here.sent[0].id));
    here.ask();
    assert.equal(here.sent.length, 2);
  }
});

test("a refusal of something else does not", () => {
  const here = page(onTurn(4));
  here.ask();
  here.told({ type: "refused", id: "another-command", code: "stale", detail: "" });
  here.ask();
  assert.equal(here.sent.length, 1);
});

const snapshot = {
  match: { seats: [{ name: "Ada" }, { name: "Bob" }], dice: null },
  you: 0,
  start: {},
  ply: 4,
  state: { turn: 0 },
  outcome: null,
  legal: ["1", "3"],
};
