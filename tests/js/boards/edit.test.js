/** What a press means when a position is set up, game by game. */

import "../catalogue.js";
import assert from "node:assert/strict";
import { test } from "node:test";

/** @param {string} game */
const editing = (game) => import(`../../../static/boards/${game}/edit.js`);

const KALAH = { turn: 0, board: [4, 4, 0, 4, 4, 0], swapper: 1, options: { pits: 2 } };
const MORRIS = { turn: 1, board: ".".repeat(24), hand: [9, 9], takes: 1, quiet: 3, trail: "ab", options: { board: "three", men: 9 } };
const NONE = Array.from({ length: 13 }, () => 0);
const CANTSTOP = { turn: 0, cones: [NONE, NONE], runners: NONE, owners: NONE.map(() => null), present: [true, true], dice: [1, 2, 3, 4], due: false };
const ACES = { turn: 0, dice: [[0, 3], [6]], present: [true, true], centre: 0, throws: 1, due: true };

/** The state after several presses with one tool. */
const pressed = ({ press }, state, tool, ...cells) => cells.reduce((now, cell) => press(cell, tool, now), state);

test("Kalah: seeds of pits and stores, one more, one less or none", async () => {
  const edit = await editing("kalah");
  assert.deepEqual(pressed(edit, KALAH, "more", "0", "2", "2").board, [5, 4, 2, 4, 4, 0]);
  assert.deepEqual(pressed(edit, KALAH, "less", "0", "5").board, [3, 4, 0, 4, 4, 0]);
  assert.deepEqual(pressed(edit, KALAH, "none", "3"), { ...KALAH, board: [4, 4, 0, 0, 4, 0], swapper: null });
  assert.deepEqual(edit.clear(KALAH).board, [0, 0, 0, 0, 0, 0]);
});

test("Morris: men on points, and the same again takes them away; the history is forgotten", async () => {
  const edit = await editing("morris");
  const two = pressed(edit, pressed(edit, MORRIS, "W", "a7"), "B", "d7");
  assert.deepEqual([two.board.slice(0, 3), two.takes, two.quiet, two.trail], ["WB.", 0, 0, ""]);
  assert.equal(pressed(edit, two, "W", "a7", "d7").board.slice(0, 3), ".W.");
  assert.equal(pressed(edit, two, ".", "d7").board.slice(0, 3), "W..");
});

test("Morris: a man on a point comes from the hand if there are no other men", async () => {
  const edit = await editing("morris");
  const two = pressed(edit, MORRIS, "W", "a7", "d7");
  assert.deepEqual(two.hand, [7, 9]);
  assert.deepEqual(pressed(edit, two, "W", "d7").hand, [7, 9]);
  assert.deepEqual(pressed(edit, two, "B", "d7").hand, [7, 8]);
});

test("Morris: a press on a tray adds a man in hand as long as there is one", async () => {
  const edit = await editing("morris");
  const one = pressed(edit, edit.clear(MORRIS), "W", "a7");
  assert.deepEqual([one.hand, one.board.replaceAll(".", "")], [[0, 0], "W"]);
  const full = pressed(edit, one, "W", ...Array.from({ length: 8 }, () => "hand0"));
  assert.deepEqual(full.hand, [8, 0]);
  assert.deepEqual(pressed(edit, full, "W", "hand0", "hand1").hand, [0, 1]);
  assert.deepEqual(pressed(edit, full, ".", "hand0").hand, [0, 0]);
});

test("Can’t Stop: cones stop below the top, runners begin above the cone, a claimed column is empty", async () => {
  const edit = await editing("cantstop");
  assert.deepEqual(edit.tools(CANTSTOP, ["Ann", "Bo"]).map(({ name }) => name), ["0", "1", "runner", "claim"]);
  const up = pressed(edit, CANTSTOP, "1", "2", "2");
  assert.equal(up.cones[1][2], 2);
  assert.equal(pressed(edit, up, "1", "2").cones[1][2], 0);
  const cone = pressed(edit, CANTSTOP, "0", "7", "7");
  assert.equal(pressed(edit, cone, "runner", "7").runners[7], 3);
  assert.equal(pressed(edit, CANTSTOP, "runner", "2", "2", "2", "2").runners[2], 0);
  const claimed = pressed(edit, cone, "claim", "7");
  assert.deepEqual([claimed.owners[7], claimed.cones[0][7]], [0, 0]);
  assert.deepEqual([1, 2].map((times) => pressed(edit, claimed, "claim", ...Array(times).fill("7")).owners[7]), [1, null]);
  assert.deepEqual(edit.clear(claimed), { ...CANTSTOP, dice: [] });
});

test("Aces: dice of a seat and in the centre, one more or one less", async () => {
  const edit = await editing("aces");
  assert.deepEqual(pressed(edit, ACES, "5", "seat-1").dice, [[0, 3], [6, 5]]);
  assert.deepEqual(pressed(edit, ACES, "less", "seat-0", "seat-1", "seat-1").dice, [[0], []]);
  assert.equal(pressed(edit, ACES, "1", "centre", "centre").centre, 2);
  assert.equal(pressed(edit, ACES, "less", "centre").centre, 0);
  assert.deepEqual(edit.clear(ACES).dice, [[], []]);
});
