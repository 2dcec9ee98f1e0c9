import assert from "node:assert/strict";
import { test } from "node:test";

import "../catalogue.js";

const { callWords } = await import("../../../static/lobby/calls.js");

const CALL = { match: "k7w2m9xqd4", by: "Calm-Heron", title: "Kalah", left: null };

for (const [kind, words] of [
  ["resume", "Calm-Heron invites you to resume your saved match: Kalah"],
  ["rematch", "Calm-Heron offers you a rematch: Kalah"],
  ["begun", "Your rematch has begun: Kalah"],
]) {
  test(`a call says what it is for: ${kind}`, () => {
    assert.equal(callWords({ ...CALL, kind }), words);
  });
}
