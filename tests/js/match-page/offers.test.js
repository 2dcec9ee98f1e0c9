/** Offers on the match page: who is asked what, by which buttons and keys it is answered, and what is sent. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { openMatch } from "../dom/match.js";

const SENTENCE = "#actions [data-words]";
const choice = (name) => `[data-choice='${name}']:not([hidden])`;

test("a draw offer is shown as mine, and can be withdrawn", async (t) => {
  const { page, server } = await openMatch(t, { ply: 2 });
  await page.click(choice("draw"));
  assert.deepEqual(server.asked("offer").kind, "draw");
  await server.accept("offer");
  await server.offer({ kind: "draw", by: 0 });
  assert.equal(page.text(SENTENCE), "You offered a draw.");
  await page.click(choice("withdraw"));
  assert.equal(server.asked("decline").kind, "draw");
  await server.accept("decline");
  await server.offer();
  assert.ok(!page.shows(SENTENCE));
  assert.doesNotMatch(page.text("#notice"), /declined/);
});
