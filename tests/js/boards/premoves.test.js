/** What may be entered while the other player thinks. */

import assert from "node:assert/strict";
import { test } from "node:test";

import "../catalogue.js";

const kalah = await import("../../../static/boards/kalah.js");
const morris = await import("../../../static/boards/morris.js");

const OPTIONS = { board: "three", men: 9, early_slides: false, flying: true };
const POINTS = ["a7", "d7", "g7", "b6", "d6", "f6", "c5", "d5", "e5", "a4", "b4", "c4", "e4", "f4", "g4", "c3", "d3", "e3", "b2", "d2", "f2", "a1", "d1", "g1"];
/** White at some points, black at others, black to move. */
const position = (white, black, hand = [0, 0]) => ({
  turn: 1,
  takes: 0,
  hand,
  options: OPTIONS,
  board: POINTS.map((point) => (white.includes(point) ? "W" : black.includes(point) ? "B" : ".")).join(""),
});
const moves = (state) => Object.keys(morris.premoves(state, 0).moves);

test("any pit of one's own, also an empty one, which the opponent may fill", () => {
  const state = { turn: 0, board: [0, 3, 3, 0, 1, 0, 2, 0], options: { pits: 3, pie: false } };
  assert.deepEqual(kalah.premoves(state, 1).moves, { 1: ["4"], 2: ["5"], 3: ["6"] });
});

test("while men are in hand one is placed on a point that is empty", () => {
  const entered = moves(position(["a1"], ["d1"], [1, 1]));
  assert.equal(entered.length, 22);
  assert.ok(!entered.includes("a1") && !entered.includes("d1"));
});

test("a man slides to the next point, also where the opponent may leave", () => {
  const entered = moves(position(["a1", "g7", "b6", "f6"], ["d1"]));
  assert.ok(entered.includes("a1-d1") && entered.includes("a1-a4") && !entered.includes("a1-g1"));
});

test("with three men left a man flies", () => {
  assert.ok(moves(position(["a1", "g7", "b6"], ["d1", "d2", "d3"])).includes("a1-e4"));
});

test("a move shows where it begins and where it leads", () => {
  assert.deepEqual(morris.premoves(position(["a1", "g7", "b6", "f6"], ["d1"]), 0).moves["a1-a4"], ["a1", "a4"]);
});

test("a press on an opposing man is where a premove leads, once a man is chosen", () => {
  const { state, moves: all } = morris.premoves(position(["a1", "g7", "b6", "f6"], ["d1"]), 0);
  const view = { seat: 0, bottom: 0, names: ["Anna", "Ben"], legal: Object.keys(all), outcome: null };
  assert.deepEqual(morris.pick("d1", "a1", view.legal, state, view), { move: "a1-d1" });
  assert.match(morris.pick("d1", null, view.legal, state, view).refusal, /opponent’s man/);
});
