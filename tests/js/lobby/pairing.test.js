import assert from "node:assert/strict";
import { test } from "node:test";

import "../catalogue.js";

const { countWords } = await import("../../../static/lobby/counts.js");
const { offered, offerWords, playWords, reaction, tileName, waitedWords } = await import("../../../static/lobby/pairing-words.js");

test("a seek has the name of its tile", () => {
  assert.equal(tileName({ game: "kalah", preset: "circle", clock: "5+3", rated: true, seats: 2 }), "kalah/circle/5+3");
  assert.equal(tileName({ game: "kalah", preset: "circle", clock: "", rated: false, seats: 2 }), "kalah/circle/");
});

test("so has one for more than two", () => {
  assert.equal(tileName({ game: "aces", preset: "standard", clock: "", rated: false, seats: 4 }), "aces/standard//4");
});

const sprout = { name: "Sprout", level: 1, after: 10 };

test("a computer is offered once the seconds that the server names are over", () => {
  assert.equal(offered({ computer: sprout }, 9.9), null);
  assert.equal(offered({ computer: sprout }, 10), sprout);
});

test("where the server offers none there is none", () => {
  assert.equal(offered({ computer: null }, 1000), null);
});

test("the offer says who it is, and that the search goes on", () => {
  assert.equal(playWords(sprout), "Play Sprout, level 1");
  assert.match(offerWords(sprout), /computer Sprout.*keep waiting/);
});

test("the wait is told in seconds, then in minutes", () => {
  assert.equal(waitedWords(0.9), "0 s");
  assert.equal(waitedWords(59.99), "59 s");
  assert.equal(waitedWords(60), "1:00");
  assert.equal(waitedWords(725.5), "12:05");
});

test("a clock that is a little behind shows no wait below nothing", () => {
  assert.equal(waitedWords(-3), "0 s");
});

const now = (more) => ({ there: false, been: false, busy: false, looking: true, ...more });

test("a page that is looked at goes to the board", () => {
  assert.equal(reaction(now()), "go");
});

test("the board itself stays, and so does who has been there", () => {
  assert.equal(reaction(now({ there: true })), "stay");
  assert.equal(reaction(now({ been: true })), "stay");
  assert.equal(reaction(now({ been: true, busy: true })), "stay");
});

test("nobody is torn from a match in play", () => {
  assert.equal(reaction(now({ busy: true })), "link");
  assert.equal(reaction(now({ busy: true, looking: false })), "link");
});

test("a page that nobody looks at waits until somebody does", () => {
  assert.equal(reaction(now({ looking: false })), "later");
});

test("counters are sentences in the right number", () => {
  assert.equal(countWords("online", 1), "1 person online");
  assert.equal(countWords("online", 2), "2 people online");
  assert.equal(countWords("playing", 0), "0 matches in play");
  assert.equal(countWords("waiting", 1), "1 waiting");
});
