/** The arrows of an analysis: from each board the places of a move, and from those the lines. */

import "../catalogue.js";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { drawTracks } from "../../../static/finished/tracks.js";
import * as cantstop from "../../../static/boards/cantstop.js";
import * as kalah from "../../../static/boards/kalah.js";
import * as morris from "../../../static/boards/morris.js";

const view = { seat: 0, bottom: 0, names: ["Anna", "Ben"], legal: [], outcome: null, selection: null, preview: null, last: null, narrow: false };
const pits = (board, turn = 0, both = false) => ({ turn, board, options: { pits: 6, pie: false, sow_both_stores: both } });
const START = [4, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 0];

/** The places on the board with pits whose middle is that of a track's last spot. */
function landing(state, move) {
  const [, [x, y]] = kalah.tracks(move, state, view)[0].spots;
  const places = (shapes) => shapes.flatMap(({ cell, children }) => [...(cell ? [cell] : []), ...(typeof children === "string" ? [] : places(children))]);
  return places(kalah.draw(state, view)).filter(({ box }) => Math.abs(box[0] + box[2] / 2 - x) < 0.1 && Math.abs(box[1] + box[3] / 2 - y) < 0.1).map(({ name }) => Number(name));
}

test("a sowing leads to the pit of its last seed", () => {
  assert.deepEqual(landing(pits(START), "3"), [6]);
  assert.deepEqual(landing(pits(START, 1), "3"), [13]);
  assert.deepEqual(kalah.tracks("swap", pits(START, 1), view), []);
});

test("a long sowing skips the opponent’s store unless both are sown", () => {
  const long = START.with(5, 8);
  assert.deepEqual(landing(pits(long), "6"), [0]);
  assert.deepEqual(landing(pits(long, 0, true), "6"), [13]);
  assert.deepEqual(landing(pits(START.with(5, 14)), "6"), [6]);
});

const men = { turn: 0, board: ".".repeat(24), hand: [9, 9], takes: 0, options: { board: "three", men: 9 } };

test("a man is placed on one point, taken from one, and moved between two", () => {
  const spots = (move) => morris.tracks(move, men, view)[0].spots.length;
  assert.deepEqual([spots("a1"), spots("xa1"), spots("a1-a4")], [1, 1, 2]);
  assert.deepEqual(morris.tracks("xa1", men, view), morris.tracks("a1", men, view));
});

test("a choice of dice climbs each of its columns once", () => {
  const { start } = JSON.parse(readFileSync(new URL("../../../var/rendered/plies-cantstop.json", import.meta.url), "utf8"));
  const count = (move) => cantstop.tracks(move, start.state, view).length;
  assert.deepEqual([count("6+8"), count("7+7"), count("stop"), count("roll")], [2, 1, 0, 0]);
});

const flat = ({ tag, attrs, children }) => [{ tag, ...attrs }, ...(typeof children === "string" ? [] : children.flatMap(flat))];

test("a single place has a ring, a way also an arrow; the played one is dashed", () => {
  const paths = (tracks, kind) => flat(drawTracks(tracks, kind, 600)).filter(({ d, "stroke-dasharray": dashes }) => d && (dashes !== undefined) === (kind === "played"));
  const ring = [{ spots: [[10, 20, 5]] }];
  const way = [{ spots: [[10, 20, 5], [90, 20, 5]] }];
  assert.ok(!paths(ring, "played").some(({ d }) => d.includes("Q")));
  assert.ok(paths(way, "played").some(({ d }) => d.includes("Q")));
  assert.ok(paths(way, "better").some(({ d }) => d.includes("Q")));
});
