/** A finished match in a frame of another site: stepped through, and played by itself. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage, rendered } from "../dom/page.js";

const LAST = 5;
const shown = (page) => Number(page.find("#art").dataset.ply);
const button = (name) => `[aria-label='${name}']`;

const open = (t) => openPage(t, { html: rendered("embed-replay"), path: "/embed/match", modules: ["finished/embed.js"] });

test("buttons lead through an embedded replay, which begins at its end", async (t) => {
  const page = await open(t);
  assert.equal(shown(page), LAST);
  assert.equal(page.text("#headline"), "Ben won");
  for (const [name, ply] of [["Previous move", 4], ["First position", 0], ["Next move", 1], ["Last position", LAST], ["Next move", LAST]]) {
    await page.click(button(name));
    await page.time.pass(0);
    assert.equal(shown(page), ply, name);
  }
  assert.ok(page.find("#players li[data-won]"));
});

test("an embedded replay plays by itself, and stops when somebody steps", async (t) => {
  const page = await open(t);
  await page.click("#play");
  assert.equal(page.find("#play").getAttribute("aria-label"), "Pause");
  await page.time.pass(2 * 900);
  assert.equal(shown(page), 2);
  await page.click(button("Last position"));
  assert.equal(page.find("#play").getAttribute("aria-label"), "Replay");
  assert.equal(shown(page), LAST);
  await page.time.pass(5_000);
  assert.equal(shown(page), LAST);
});
