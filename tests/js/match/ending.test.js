import assert from "node:assert/strict";
import { test } from "node:test";

import "../catalogue.js";

const { departures } = await import("../../../static/match/acts.js");
const { ending, isJoyful, othersRatingWords, ratingWords } = await import("../../../static/match/ending.js");
const { empty, reduce } = await import("../../../static/match/store.js");
const { movesUpTo } = await import("../../../static/match/turns.js");
const { shownHeadline } = await import("../../../static/match/words.js");
const kalah = await import("../../../static/boards/kalah.js");

const NAMES = ["Ann", "Bo", "Cy"];
const TALLIES = { tally: (_state, seat) => `${seat} points` };

/** What is known of a match that is over, seen by seat 0. */
function over({ winners = [0], reason = "swept", scores = [20, 16], you = 0, seats = 2, plies = [] } = {}) {
  const match = { id: "m", rated: false, seats: NAMES.slice(0, seats).map((name, seat) => ({ seat, name })), dice: null, clock: null };
  const may = you === null ? {} : { may: { commands: ["rematch"], offer: [], agree: [], claim: [] } };
  const snapshot = {
    type: "snapshot", match, you, ...may, ply: plies.length, start: { turn: 0 }, state: { turn: 0 }, outcome: { winners, reason, scores },
    acted: [], left: [], caretaken: [], offers: [], away: [], watchers: 0, present: [],
  };
  return [snapshot, { type: "plies", after: 0, plies, outcome: null }].reduce(reduce, empty());
}

const view = (seat = 0, seats = 2) => ({ seat, bottom: 0, names: NAMES.slice(0, seats), legal: [], outcome: null });
const told = (about, board = {}) => ending(over(about), board, view(about?.you, about?.seats));
const ply = (number, action, events = []) => ({ number, seat: 0, action, dice: null, events, state: { turn: 0 } });

test("the winner is told by how much", () => {
  assert.deepEqual(told(), { title: "You won 20 : 16", places: [], words: "", more: "" });
});

test("whoever lost reads a kind word, and the points of the winner first, as the sentence is about the winner", () => {
  assert.deepEqual(told({ you: 1 }), { title: "Ann won 20 : 16", places: [], words: "", more: "Well played!" });
});

test("nobody is consoled for a draw, or for watching", () => {
  assert.equal(told({ winners: [0, 1], scores: [18, 18] }).words, "");
  assert.deepEqual(told({ you: null }), { title: "Ann won 20 : 16", places: [], words: "", more: "" });
});

test("who resigned is not said to have left, and points that did not decide are not told", () => {
  const { title, words } = told({ reason: "resigned", plies: [ply(1, "left:1:resigned")] });
  assert.deepEqual([title, words], ["You won", "Bo resigned."]);
});

test("a table of many has places, the winner's first", () => {
  const { title, places } = told({ seats: 3, winners: [2], scores: [1, 0, 3] }, TALLIES);
  assert.equal(title, "Cy won");
  assert.deepEqual(places.map(({ name, tally, won }) => [name, tally, won]), [
    ["Cy", "2 points", true],
    ["You", "0 points", false],
    ["Bo", "1 points", false],
  ]);
});

test("one telling fact of the game is told where it has one", () => {
  const capture = (seat, seeds) => [{ kind: "captured", seat, pit: 0, opposite: 7, seeds }];
  // Bo sows twice in one move.
  const plies = [
    { ...ply(1, "1", capture(0, 3)), seat: 0 },
    { ...ply(2, "6"), seat: 1 },
    { ...ply(3, "2", capture(1, 5)), seat: 1 },
    { ...ply(4, "3", capture(0, 4)), seat: 0 },
  ];
  const moveAt = (number) => movesUpTo(plies, number);
  assert.equal(kalah.fact(plies, view(0), moveAt), "Biggest capture: 5 seeds by Bo, on move 2.");
  assert.equal(kalah.fact(plies, view(1), moveAt), "Your biggest capture: 5 seeds, on move 2.");
  assert.equal(kalah.fact([], view(0), moveAt), "");
  assert.equal(told({ plies }, kalah).words, "Biggest capture: 5 seeds by Bo, on move 2.");
});

test("where no points decided it is told why it ended, and then the fact", () => {
  const board = { result: () => "Bo has only two men left.", fact: () => "You closed 3 mills, Bo 1." };
  const { words, more } = told({ scores: [], reason: "reduced" }, board);
  assert.deepEqual([words, more], ["Bo has only two men left.", "You closed 3 mills, Bo 1."]);
});

test("whoever won celebrates, and whoever watched a victory; not the others", () => {
  assert.ok(isJoyful(over()));
  assert.ok(isJoyful(over({ you: null })));
  assert.ok(!isJoyful(over({ you: 1 })));
  assert.ok(!isJoyful(over({ winners: [0, 1] })));
  assert.ok(!isJoyful(over({ winners: [] })));
  assert.ok(!isJoyful(empty()));
});

test("a rating is told with what the match changed of it", () => {
  const words = (before, after, provisional = false) => ratingWords({ before, after, provisional });
  assert.equal(words(1500, 1512), "Your rating: 1512 (+12)");
  assert.equal(words(1500, 1493), "Your rating: 1493 (−7)");
  assert.equal(words(1500, 1500), "Your rating: 1500 (±0)");
  assert.equal(words(1500, 1662, true), "Your rating: 1662 (+162), provisional");
});

test("the ratings of the others are told by name", () => {
  const bo = { name: "Bo", before: 1500, after: 1493, provisional: false };
  const cy = { name: "Cy", before: 1500, after: 1662, provisional: true };
  assert.equal(othersRatingWords([bo, cy]), "Bo: 1493 (−7) · Cy: 1662 (+162), provisional");
  assert.equal(othersRatingWords([]), "");
});

test("while an earlier ply is looked at nobody has won yet", () => {
  const store = over({ plies: [ply(1, "1"), { ...ply(2, "2"), seat: 1 }] });
  assert.equal(shownHeadline(store), "You won");
  assert.equal(shownHeadline(reduce(store, { type: "step", to: 1 })), "Move 1 of 2");
});

test("a departure is told from the ply on in which it came, with its reason", () => {
  const plies = [ply(1, "1"), ply(2, "left:1:resigned")];
  assert.deepEqual([...departures(plies, 1)], []);
  assert.deepEqual([...departures(plies, 2)], [[1, "resigned"]]);
});
