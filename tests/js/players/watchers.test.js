import assert from "node:assert/strict";
import { test } from "node:test";

import "../catalogue.js";

const { empty, reduce } = await import("../../../static/match/store.js");
const { watchersLook } = await import("../../../static/players/watchers.js");

const CROWD = { type: "crowd", watchers: 0, names: [], present: [], away: [], hidden: false, hidden_by: [] };

/** The store after a crowd was told to somebody at seat `you`. */
const told = (crowd, you = 0) => reduce({ ...empty(), you }, { ...CROWD, ...crowd });
const words = (crowd) => watchersLook(told(crowd)).words;

test("nobody, one, and a few are told by name", () => {
  assert.equal(words({}), "No spectators.");
  assert.equal(words({ watchers: 1, names: ["Anna"] }), "Watching: Anna");
  assert.equal(words({ watchers: 2, names: ["Anna", "Guest-12"] }), "Watching: Anna and Guest-12");
});

test("visitors are counted beside the names", () => {
  assert.equal(words({ watchers: 2, names: ["Anna"] }), "Watching: Anna and 1 guest");
  assert.equal(words({ watchers: 4, names: ["Anna"] }), "Watching: Anna and 3 guests");
});

test("a crowd without names is a number", () => {
  assert.equal(words({ watchers: 1 }), "1 spectator.");
  assert.equal(words({ watchers: 34 }), "34 spectators.");
});

test("a hidden crowd has neither number nor names", () => {
  const look = watchersLook(told({ hidden: true, hidden_by: [1] }));
  assert.deepEqual(look, { count: null, words: "The players have hidden the spectators.", hides: false });
});

test("the switch shows what my own seat wants", () => {
  assert.equal(watchersLook(told({ hidden: true, hidden_by: [0] })).hides, true);
  assert.equal(watchersLook(told({ hidden: true, hidden_by: [0] }, 1)).hides, false);
  assert.equal(watchersLook(told({ hidden: true, hidden_by: [0] }, null)).hides, false);
});

test("the switch shows what was asked for last until the answer is here", () => {
  const sent = (store, id, hidden) => reduce(store, { type: "sent", command: { type: "hide-crowd", id, hidden } });
  const asked = sent(sent(told({}), "command-1", true), "command-2", false);
  assert.equal(watchersLook(sent(told({}), "command-1", true)).hides, true);
  assert.equal(watchersLook(asked).hides, false);
  const refused = reduce(sent(told({}), "command-1", true), { type: "refused", id: "command-1", code: "x", detail: "" });
  assert.equal(watchersLook(refused).hides, false);
});

test("who is away is kept as it was told", () => {
  const away = [{ seat: 1, since: 1_789_000_000_000 }];
  assert.deepEqual(told({ away }).away, away);
});
