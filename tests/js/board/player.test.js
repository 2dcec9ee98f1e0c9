import assert from "node:assert/strict";
import { test } from "node:test";

import "../catalogue.js";

const { createPlayer } = await import("../../../static/board/player.js");
const { plyInHash } = await import("../../../static/moves/replay-bar.js");

/** A match of `last` plies of which `shown` is on the board, and timers that ring when they are told to. */
function playing({ shown = 0, last = 3, known = Infinity, pace = 1 } = {}) {
  const match = { shown, last, changes: [], waits: [], ring: null };
  match.player = createPlayer(
    {
      where: () => ({ shown: match.shown, last: match.last }),
      step(to) {
        match.shown = to <= known ? to : match.shown;
      },
      pace: () => pace,
      onChange: (now) => match.changes.push(now),
    },
    {
      setTimeout(ring, ms) {
        match.waits.push(ms);
        match.ring = ring;
        return 1;
      },
      clearTimeout() {
        match.ring = null;
      },
    },
  );
  /** The next ply is played and its pieces have come to rest. */
  match.on = () => {
    match.ring();
    match.player.rested();
  };
  return match;
}

test("plies follow one another once the pieces rest, and at the end it stops", () => {
  const match = playing();
  match.player.toggle();
  match.on();
  assert.equal(match.shown, 1);
  match.on();
  match.on();
  assert.deepEqual([match.shown, match.player.playing, match.ring], [3, false, null]);
  assert.deepEqual(match.changes, [true, false]);
});

test("while pieces fly nothing is stepped", () => {
  const match = playing();
  match.player.toggle();
  match.ring();
  match.ring = null;
  assert.equal(match.shown, 1);
  match.player.rested();
  assert.notEqual(match.ring, null);
});

test("at the end it begins again", () => {
  const match = playing({ shown: 3 });
  match.player.toggle();
  assert.deepEqual([match.shown, match.player.playing], [0, true]);
});

test("pressed again it stops where it is", () => {
  const match = playing();
  match.player.toggle();
  match.on();
  match.player.toggle();
  assert.deepEqual([match.shown, match.player.playing, match.ring], [1, false, null]);
  match.player.rested();
  assert.equal(match.ring, null);
});

test("a match that goes on is caught up with", () => {
  const match = playing({ last: 1 });
  match.player.toggle();
  match.last = 2;
  match.on();
  assert.equal(match.player.playing, true);
  match.on();
  assert.deepEqual([match.shown, match.player.playing], [2, false]);
});

test("a position that is not known ends it", () => {
  const match = playing({ known: 1 });
  match.player.toggle();
  match.on();
  match.ring();
  assert.deepEqual([match.shown, match.player.playing], [1, false]);
});

test("at four times the speed one waits a quarter of the time", () => {
  const [single, fast] = [playing(), playing({ pace: 4 })];
  single.player.toggle();
  fast.player.toggle();
  assert.equal(fast.waits[0], single.waits[0] / 4);
});

test("an address may name a ply", () => {
  assert.equal(plyInHash("#12"), 12);
  assert.equal(plyInHash("#0"), 0);
  for (const hash of ["", "#", "#main", "#-1", "#1.5", "#1234567"]) {
    assert.equal(plyInHash(hash), null);
  }
});
