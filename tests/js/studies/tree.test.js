import assert from "node:assert/strict";
import test from "node:test";

import { createTree, START } from "../../../static/studies/tree.js";

function grown() {
  const tree = createTree([{ id: START }]);
  const first = tree.add(START, "1", null);
  const second = tree.add(first, "2", null);
  const other = tree.add(first, "3", null);
  return { tree, first, second, other };
}

/** @param {ReturnType<typeof createTree>} tree */
const actions = (tree) => tree.fields().map(({ action }) => action);

test("a line goes on by the first move, and a variation is beside it", () => {
  const { tree, first, second, other } = grown();
  assert.deepEqual(tree.children(first).map(({ id }) => id), [second, other]);
  assert.deepEqual(tree.path(other).map(({ id }) => id), [START, first, other]);
  assert.equal(tree.end(START), second);
});

test("a move is found by its notation and its dice", () => {
  const tree = createTree([{ id: START }]);
  const roll = tree.add(START, "dice", [1, 2]);
  assert.equal(tree.found(START, "dice", [1, 2])?.id, roll);
  assert.equal(tree.found(START, "dice", [2, 1]), undefined);
});

test("a promoted variation becomes the main line", () => {
  const { tree, first, second, other } = grown();
  assert.equal(tree.turn(other)?.id, other);
  tree.promote(other);
  assert.deepEqual(tree.children(first).map(({ id }) => id), [other, second]);
  assert.equal(tree.turn(other), undefined);
  assert.equal(tree.turn(second)?.id, second);
});

test("a branch is removed with all that follows", () => {
  const { tree, first } = grown();
  tree.add(START, "4", null);
  tree.remove(first);
  assert.deepEqual(actions(tree), ["", "4"]);
});

test("nodes of the server replace those that are there", () => {
  const { tree, first, second } = grown();
  tree.merge([{ id: first, parent: START, action: "1", comment: "Good" }, { id: second, removed: true }]);
  assert.equal(tree.node(first)?.comment, "Good");
  assert.equal(tree.node(second), undefined);
});

test("fields come each after its parent, and siblings in order", () => {
  const { tree, other } = grown();
  tree.promote(other);
  assert.deepEqual(actions(tree), ["", "1", "3", "2"]);
  assert.ok(tree.fields().every((fields) => !("rank" in fields)));
});
