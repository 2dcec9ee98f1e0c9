/** Zen: the board and the clocks alone. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { openMatch } from "../dom/match.js";

test("one key begins zen, and the same or Escape ends it", async (t) => {
  const { page } = await openMatch(t);
  const isZen = () => page.document.body.hasAttribute("data-zen");
  await page.until(() => page.shows("#mute"), "the buttons");
  await page.press("z");
  assert.ok(isZen());
  await page.press("Escape");
  assert.ok(!isZen());
  await page.press("z");
  await page.press("z");
  assert.ok(!isZen());
});

test("zen begins in the menu and ends by a button on the board", async (t) => {
  const { page } = await openMatch(t);
  await page.until(() => page.shows("#mute"), "the buttons");
  await page.press("m");
  await page.click("#zen");
  assert.ok(page.document.body.hasAttribute("data-zen"));
  await page.click("#zen-end");
  assert.ok(!page.document.body.hasAttribute("data-zen"));
});
