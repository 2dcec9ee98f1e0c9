import assert from "node:assert/strict";
import { test } from "node:test";

import { Grid } from "../../../static/board/cells.js";
import { walk } from "../../../static/board/keyboard.js";

const ROWS = [
  ["a", "b", "c"],
  ["d", null, "f"],
  ["a", "h", "i"],
];
const at = (rows, [row, column]) => rows[row][column];
const [UP, DOWN, LEFT, RIGHT] = [[-1, 0], [1, 0], [0, -1], [0, 1]];

test("an arrow leads to the neighbour", () => {
  assert.equal(at(ROWS, walk(ROWS, [0, 0], RIGHT)), "b");
});

test("holes are walked over", () => {
  assert.equal(at(ROWS, walk(ROWS, [0, 1], DOWN)), "h");
  assert.equal(at(ROWS, walk(ROWS, [1, 0], RIGHT)), "f");
});

test("the board ends at its edges", () => {
  assert.deepEqual(walk(ROWS, [0, 2], RIGHT), [0, 2]);
  assert.deepEqual(walk(ROWS, [0, 0], UP), [0, 0]);
  assert.deepEqual(walk(ROWS, [1, 0], LEFT), [1, 0]);
});

test("a place of two rows is one place", () => {
  const rows = [["x", "a"], ["x", "b"]];
  assert.deepEqual(walk(rows, [0, 0], DOWN), [0, 0]);
  assert.equal(at(rows, walk(rows, [1, 0], RIGHT)), "b");
});

test("rows may differ in length", () => {
  const rows = [["a", "b", "c"], ["d"]];
  assert.deepEqual(walk(rows, [0, 2], DOWN), [0, 2]);
});

/** As much of an element as a grid needs. */
class Element {
  dataset = {};
  style = {};
  children = [];
  #attributes = new Map();

  addEventListener() {}

  setAttribute(name, value) {
    this.#attributes.set(name, value);
  }

  getAttribute(name) {
    return this.#attributes.get(name) ?? null;
  }

  toggleAttribute() {}

  contains() {
    return false;
  }

  append(...children) {
    this.children.push(...children);
  }

  replaceChildren(...children) {
    this.children = children;
  }
}

/** The tab stops of a new grid. */
function stops(rows) {
  globalThis.document = { createElement: () => new Element() };
  const root = new Element();
  const grid = new Grid(root, { label: "", onPress() {}, onEscape() {} });
  grid.update(rows, [], [1, 1], {});
  const cells = root.children.flatMap((row) => row.children);
  return cells.filter((cell) => cell.getAttribute("tabindex") === "0").map((cell) => cell.dataset.cell);
}

test("a board with holes has one tab stop, in the middle of its nearest row", () => {
  assert.deepEqual(stops([[null, "a", null], ["b", null, "c"], [null, "d", null]]), ["d"]);
  assert.deepEqual(stops([["a", "b", "c"], ["d", "e", "f"]]), ["e"]);
});
