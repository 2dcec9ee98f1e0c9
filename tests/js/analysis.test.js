/** How often the page of an analysis looks again. */

import "./catalogue.js";
import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.document ??= { getElementById: () => null };
const { nextWait } = await import("../../static/analysis.js");

test("as long as something new comes, it looks soon again", () => {
  assert.equal(nextWait(1_500, true), 1_500);
  assert.equal(nextWait(15_000, true), 1_500);
});

test("the longer nothing comes, the longer it waits, up to a limit", () => {
  assert.ok(nextWait(1_500, false) > 1_500);
  assert.equal(nextWait(14_000, false), 15_000);
});
