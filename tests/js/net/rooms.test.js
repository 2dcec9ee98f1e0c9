/** The net lies below the rooms that use it: what it imports comes from its own room, or from shapes and parts. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const ROOM = new URL("../../../static/net/", import.meta.url);
const UPWARDS = /(from |import\()"(?!\.\/|\.\.\/(shapes|parts)\/)/;

for (const name of readdirSync(ROOM)) {
  test(`${name} imports from no room above`, () => {
    assert.doesNotMatch(readFileSync(new URL(name, ROOM), "utf8"), UPWARDS);
  });
}
