import assert from "node:assert/strict";
import { test } from "node:test";

import { SEATS, at, die, group, scatter, seatMark, seatPatterns, shape, text } from "../../../static/shapes/svg.js";

const count = (made, tag) =>
  (made.tag === tag ? 1 : 0) +
  (typeof made.children === "string" ? 0 : made.children.reduce((sum, child) => sum + count(child, tag), 0));

test("keys and cells are no attributes", () => {
  const cell = { name: "a", label: "A", box: [0, 0, 1, 1] };
  assert.deepEqual(shape("g", { key: "k", cell, fill: "none" }), { tag: "g", attrs: { fill: "none" }, children: [], key: "k", cell });
});

test("attributes and children that are not there are left out", () => {
  const made = group({ fill: null, stroke: false, x: undefined, y: 0 }, [null, false, text(0, 0, "a")]);
  assert.deepEqual(Object.keys(made.attrs), ["y"]);
  assert.equal(made.children.length, 1);
});

test("words are text, numbers too", () => {
  assert.equal(text(0, 0, 12).children, "12");
});

test("a place is a translation, turned and scaled only if need be", () => {
  assert.equal(at(1, 2), "translate(1 2)");
  assert.equal(at(1.005, 2, { turn: 90, scale: 2 }), "translate(1 2) rotate(90) scale(2)");
});

test("scattered numbers are the same everywhere and lie in [0, 1)", () => {
  const numbers = Array.from({ length: 1000 }, (_, i) => scatter(i, 3));
  assert.ok(numbers.every((n) => n >= 0 && n < 1));
  assert.deepEqual(numbers, Array.from({ length: 1000 }, (_, i) => scatter(i, 3)));
});

test("scattered numbers are spread", () => {
  const tenths = new Array(10).fill(0);
  for (let i = 0; i < 2000; i += 1) {
    tenths[Math.floor(scatter(i, 7) * 10)] += 1;
  }
  assert.ok(tenths.every((n) => n > 140 && n < 260), String(tenths));
});

test("a die shows its pips", () => {
  for (let face = 0; face <= 6; face += 1) {
    assert.equal(count(die(face, 0, 0, 10), "circle"), face);
  }
});

test("every seat has an outline of its own", () => {
  const outlines = Array.from({ length: SEATS }, (_, seat) => seatMark(seat, 0, 0, 1).children[0].attrs.d);
  assert.equal(new Set(outlines).size, SEATS);
});

test("there is a pattern for every seat of the match", () => {
  assert.deepEqual(seatPatterns(3).children.map(({ attrs }) => attrs.id), ["seat-fill-0", "seat-fill-1", "seat-fill-2"]);
});
