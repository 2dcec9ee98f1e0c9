import assert from "node:assert/strict";
import { test } from "node:test";

import { allowed } from "../allowed.js";
import "../catalogue.js";

const { absence } = await import("../../../static/match/absence.js");
const { choices } = await import("../../../static/match/choices.js");
const { isWaking, levelWords, playersInWords, playsAlone, thinking } = await import("../../../static/match/computers.js");
const { createCommands } = await import("../../../static/match/telling.js");
const { empty, reduce } = await import("../../../static/match/store.js");
const { headline } = await import("../../../static/match/words.js");

const NOW = 1_000_000;

/** A store as a snapshot fills it: I sit on seat 0, and a computer on every seat that has a level. */
function store({ levels = [null, 3], turn = 1, you = 0, outcome = null, may = {}, ...more } = {}) {
  return reduce(empty(), {
    type: "snapshot",
    match: {
      id: "m",
      rated: false,
      draws: true,
      seats: levels.map((level, seat) => ({ seat, name: ["Ann", "Hazel", "Rowan"][seat], level })),
      dice: null,
      clock: null,
    },
    you,
    ply: 0,
    start: { turn },
    state: { turn },
    outcome,
    acted: levels.map((_, seat) => seat),
    may: allowed({ you, turn, outcome, ...more, ...may }),
    watchers: 0,
    present: [0],
    ...more,
  });
}

const all = (look) => [...look.beside, ...look.row, ...look.menu];
const over = { outcome: { winners: [0], reason: "ended", scores: null } };

test("while a computer thinks there is nothing to press but to resign, and the board to flip", () => {
  const look = choices(store({ plies: [] }), NOW);
  assert.deepEqual([look.about, look.words, ...all(look)], ["thinking", "", "resign", "flip", "resign"]);
});

test("so it is while a bot plays for somebody who is away", () => {
  assert.deepEqual(all(choices(store({ levels: [null, null], caretaken: [1] }), NOW)), ["resign", "flip", "resign"]);
});

test("whoever a bot plays for can always take their chair back", () => {
  assert.deepEqual(choices(store({ levels: [null, 3, null], turn: 0, caretaken: [0] }), NOW).beside, ["reclaim"]);
  assert.deepEqual(choices(store({ levels: [null, 3, null], turn: 1, caretaken: [0] }), NOW).beside, ["reclaim"]);
});

test("nobody thinks in a match that is halted or over, and it can be taken up again", () => {
  assert.equal(thinking(store({ halted: "paused" })), null);
  assert.deepEqual(choices(store({ halted: "paused" }), NOW).beside, ["resume"]);
  assert.equal(thinking(store(over)), null);
});

test("on one's own turn everything can be done as among people, a draw is offered by the menu", () => {
  assert.equal(thinking(store({ turn: 0 })), null);
  assert.deepEqual(choices(store({ turn: 0 }), NOW).beside, []);
  assert.deepEqual(choices(store({ turn: 0 }), NOW).menu, ["draw", "flip", "resign"]);
  assert.deepEqual(choices(store({ turn: 0, levels: [null, null] }), NOW).beside, ["draw"]);
});

test("a computer is never away", () => {
  const away = [{ seat: 1, since: 0, due: 60_000 }];
  assert.equal(absence(store({ away })), null);
  assert.equal(absence(store({ levels: [null, null], away, may: { claim: ["win", "draw"] } }))?.seat, 1);
});

test("after the end there is the rematch, and another level for whoever played alone", () => {
  assert.deepEqual(choices(store(over), NOW).end, ["rematch", "another-level"]);
  assert.deepEqual(choices(store({ ...over, levels: [null, null, 2] }), NOW).end, ["rematch", "new-opponent"]);
  assert.deepEqual(choices(store({ ...over, you: null }), NOW).end, []);
});

test("one plays alone where everybody else is a computer", () => {
  assert.equal(playsAlone(store({ levels: [null, 1, 1] })), true);
  assert.equal(playsAlone(store({ levels: [null, 1, null] })), false);
  assert.equal(playsAlone(store({ you: null })), false);
});

test("the headline says who is thinking, and whose turn it is", () => {
  assert.equal(headline(store()), "Hazel is thinking");
  assert.equal(headline(store({ turn: 0 })), "Your turn");
});

test("a computer that is not ready yet is said to wake up, until it moves", () => {
  const waking = reduce(store(), { type: "waking", ply: 0 });
  assert.equal(isWaking(store()), false);
  assert.equal(isWaking(waking), true);
  assert.equal(headline(waking), "The computer is starting");
  const plies = [{ number: 1, seat: 1, action: "1", dice: null, events: [], state: { turn: 1 }, command: null, at: "" }];
  const moved = reduce(waking, { type: "plies", after: 0, plies, outcome: null });
  assert.equal(isWaking(moved), false);
  assert.equal(headline(moved), "Hazel is thinking");
});

test("the text box proposes nothing while a computer thinks, and resigns", () => {
  const sent = [];
  let pressed = 0;
  const way = (state) =>
    createCommands(() => state, {}, {
      resign: { press: () => (pressed += 1), asked: () => true },
      clock: () => "",
      now: () => NOW,
      send: (fields) => sent.push(fields),
    });
  assert.equal(way(store()).draw(), "It is Hazel’s turn.");
  way(store()).resign();
  assert.deepEqual([sent, pressed], [[], 1]);
  way(store({ levels: [null, null, 1], turn: 0, caretaken: [0] })).reclaim();
  assert.deepEqual(sent, [{ type: "reclaim" }]);
});

test("lists say which name is a computer's", () => {
  assert.equal(playersInWords({ players: ["Ann", "Hazel"], levels: [null, 3] }), "Ann – Hazel (computer)");
  assert.equal(levelWords(3), "computer, level 3");
});
