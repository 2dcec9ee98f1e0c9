/** One board for several people: who holds it plays for whoever is on turn, and is called nothing. */

import assert from "node:assert/strict";
import { test } from "node:test";

import "../catalogue.js";
import { ending } from "../../../static/match/ending.js";
import { watches } from "../../../static/match/may.js";
import { empty, reduce } from "../../../static/match/store.js";
import { blockedWords, headline, inHand, viewOf } from "../../../static/match/words.js";

const MAY = { commands: ["move", "resign"], offer: [], agree: [], claim: [] };

/** What is known after a snapshot of such a match, by who holds the board or by who watches. */
function told({ holds, turn = 1, outcome = null }) {
  const seats = ["Anna", "Ben"].map((name, seat) => ({ seat, name, level: null }));
  return reduce(empty(), {
    type: "snapshot",
    match: { id: "m", game: "kalah", options: {}, shared: true, seats, offered: [], rematch: null, dice: null },
    you: null,
    start: { turn: 0 },
    ply: 0,
    state: { turn },
    outcome,
    halted: null,
    acted: [],
    left: [],
    caretaken: [],
    offers: [],
    watchers: 0,
    names: [],
    present: [],
    ...(holds ? { may: outcome ? { ...MAY, commands: ["rematch"] } : MAY, legal: ["1", "2"] } : {}),
  });
}

test("who holds the board moves for the seat on turn, who watches does not", () => {
  const [holder, watcher] = [told({ holds: true }), told({ holds: false })];
  assert.deepEqual([watches(holder), watches(watcher)], [false, true]);
  assert.equal(blockedWords(holder), null);
  assert.equal(blockedWords(watcher), "You are watching. Only the players can move.");
  assert.equal(inHand(holder, viewOf(holder, 0)).seat, 1);
  assert.equal(inHand(watcher, viewOf(watcher, 0)).seat, null);
});

test("everybody is called by name, also at the end", () => {
  const over = told({ holds: true, outcome: { winners: [0], reason: "swept", scores: [25, 11] } });
  assert.equal(headline(told({ holds: true })), "Ben to move");
  assert.equal(viewOf(told({ holds: true }), 0).seat, null);
  assert.equal(inHand(over, viewOf(over, 0)).seat, null);
  const { title, words } = ending(over, {}, viewOf(over, 0));
  assert.deepEqual([title, words], ["Anna won 25 : 11", ""]);
});
