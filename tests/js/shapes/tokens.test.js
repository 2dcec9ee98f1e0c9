/** Boards can be told in greyscale, in every set of colours; what moves has the same speeds everywhere. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { PACES, THEMES, contrast } from "../tokens.js";

const { SEATS, seatMark } = await import("../../../static/shapes/svg.js");
const { SPEEDS } = await import("../../../static/shapes/flights.js");

/** What lies below the marks of seats, on boards and beside them. */
const GROUNDS = ["card", "raised", "sunk", "paper", "ink", "felt", "felt-deep", "wood-light", "wood", "wood-dark", "mark", "accent-wash"];
/** What can be told from what it lies on without a colour. */
const SEEN = 3;

const token = (value) => /^var\(--([\w-]+)\)$/.exec(value)?.[1];

test("there are three sets of colours for boards, by day and by night", () => {
  assert.deepEqual([...new Set(THEMES.map(({ name }) => name.split(" ")[0]))], ["wood", "paper", "contrast"]);
  assert.equal(THEMES.length, 6);
});

for (const { name, colours } of THEMES) {
  test(`the mark of every seat is seen on every ground: ${name}`, () => {
    for (let seat = 0; seat < SEATS; seat += 1) {
      const edges = seatMark(seat, 0, 0, 1).children.slice(0, 2).map(({ attrs }) => token(attrs.stroke));
      for (const ground of GROUNDS) {
        const best = Math.max(...edges.map((edge) => contrast(colours[edge], colours[ground])));
        assert.ok(best >= SEEN, `seat ${seat} on ${ground}: ${best}`);
      }
    }
  });

  test(`an area in the colours of a seat is seen on its bed: ${name}`, () => {
    for (let seat = 0; seat < SEATS; seat += 1) {
      const told = contrast(colours[`seat-${seat}`], colours["seat-bed"]);
      assert.ok(told >= SEEN, `seat ${seat}: ${told}`);
    }
  });

  test(`what marks a move is seen on felt and wood: ${name}`, () => {
    for (const ground of ["felt", "felt-deep", "wood-light", "wood", "wood-dark"]) {
      const best = Math.max(...["mark", "mark-edge"].map((edge) => contrast(colours[edge], colours[ground])));
      assert.ok(best >= SEEN, `on ${ground}: ${best}`);
    }
    assert.ok(contrast(colours.mark, colours["mark-edge"]) >= 4.5);
    assert.ok(contrast(colours.groove, colours.wood) >= SEEN);
  });

  test(`what is written on felt and wood can be read: ${name}`, () => {
    for (const [words, ground] of [["on-felt", "felt"], ["on-felt", "felt-deep"], ["on-wood", "wood"], ["on-wood", "wood-light"], ["mark", "felt"]]) {
      assert.ok(contrast(colours[words], colours[ground]) >= 4.5, `${words} on ${ground}`);
    }
  });
}

test("pages move at the speeds of the boards", () => {
  assert.deepEqual(PACES, SPEEDS);
});
