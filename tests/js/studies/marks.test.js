import assert from "node:assert/strict";
import test from "node:test";

import { drawMarks, toggled } from "../../../static/studies/marks.js";

/** @type {any} */
const board = {
  viewBox: () => [300, 100],
  draw: () => [
    { tag: "circle", attrs: {}, children: [], cell: { name: "a", label: "a", box: [0, 0, 100, 100] } },
    { tag: "circle", attrs: {}, children: [], cell: { name: "b", label: "b", box: [200, 0, 100, 100] } },
  ],
};
/** @type {any} */
const nothing = {};

/** @param {any} shape @returns {any[]} */
const flat = (shape) => [shape, ...(Array.isArray(shape.children) ? shape.children.flatMap(flat) : [])];
/** The paths of the marks, without their halos. @param {string[]} marks */
const paths = (marks) => flat(drawMarks(marks, board, nothing, nothing)).filter(({ attrs, key }) => attrs?.d && String(key).startsWith("line"));

test("a mark of one place is a ring, and one of two an arrow", () => {
  const [ring, arrow] = paths(["a", "a>b"]);
  assert.ok(!ring.attrs.d.includes("Q"));
  assert.ok(arrow.attrs.d.includes("Q"));
});

test("a mark of a place that the position does not have is left out", () => {
  assert.equal(paths(["a", "c", "a>c"]).length, 1);
});

test("a mark that is drawn again goes", () => {
  assert.deepEqual(toggled(["a"], "a>b"), ["a", "a>b"]);
  assert.deepEqual(toggled(["a", "a>b"], "a"), ["a>b"]);
});
