import assert from "node:assert/strict";
import { test } from "node:test";

import { moduleAt } from "../../../static/net/module.js";

/** A world in which the first `failures` tries fail with `error`. @param {number} failures @param {Error} error */
function worldOf(failures, error) {
  /** @type {string[]} */
  const asked = [];
  /** @type {number[]} */
  const waits = [];
  return {
    asked,
    waits,
    load: async (/** @type {string} */ address) => {
      asked.push(address);
      if (asked.length <= failures) {
        throw error;
      }
      return { board: true };
    },
    wait: async (/** @type {number} */ ms) => waits.push(ms),
  };
}

test("a module that is there is asked for once, by its own name", async () => {
  const world = worldOf(0, new TypeError("Failed to fetch"));
  assert.deepEqual(await moduleAt("/static/kalah.js", world), { board: true });
  assert.deepEqual(world.asked, ["/static/kalah.js"]);
  assert.deepEqual(world.waits, []);
});

test("while the server is away it is asked for again, by another name and after a pause", async () => {
  const world = worldOf(2, new TypeError("Failed to fetch"));
  assert.deepEqual(await moduleAt("/static/kalah.js", world), { board: true });
  assert.deepEqual(world.asked, ["/static/kalah.js", "/static/kalah.js?again=1", "/static/kalah.js?again=2"]);
  assert.equal(world.waits.length, 2);
  assert.ok(world.waits.every((ms) => ms >= 250));
});

test("a module that is there and is no good is not asked for again", async () => {
  const world = worldOf(1, new SyntaxError("Unexpected token"));
  await assert.rejects(moduleAt("/static/kalah.js", world), SyntaxError);
  assert.equal(world.asked.length, 1);
});
