/** What is heard of moves on the match page. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { hear } from "../dom/hearing.js";
import { openMatch } from "../dom/match.js";

const SEED = 520;

async function heard(t, settings, media) {
  const pitches = [];
  const { server } = await openMatch(t, { settings, before: ({ window }) => hear(window, pitches), ...(media && { media }) });
  await server.play();
  return pitches;
}

test("where nothing is to move a sowing is heard at once", async (t) => {
  assert.deepEqual(await heard(t, { sound: "on" }), [SEED]);
});

test("a sowing that is seen is heard seed by seed", async (t) => {
  assert.deepEqual(await heard(t, { sound: "on" }, []), [SEED, SEED, SEED]);
});

test("whoever has not switched sounds on hears none", async (t) => {
  assert.deepEqual(await heard(t, { sound: "off" }), []);
});

test("sounds are on by default, and one button or key mutes them", async (t) => {
  assert.deepEqual(await heard(t, {}), [SEED]);
  const pitches = [];
  const { page, server } = await openMatch(t, { before: ({ window }) => hear(window, pitches) });
  await page.until(() => page.shows("#mute"), "the mute button");
  await page.click("#mute");
  assert.equal(page.find("#mute").getAttribute("aria-pressed"), "true");
  await server.play();
  assert.deepEqual(pitches, []);
  await page.press("q");
  assert.equal(page.find("#mute").getAttribute("aria-pressed"), "false");
});
