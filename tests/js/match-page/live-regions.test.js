/** Live regions, which readers can walk to as to any text: none keeps what is no longer true. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { openMatch } from "../dom/match.js";

const LIVE = "[role=status], [role=log], [role=alert], [aria-live]";

/** The texts of all live regions that are not hidden. */
const told = (page) => page.findAll(LIVE).filter((region) => !region.closest("[hidden]")).map((region) => region.textContent.trim()).filter(Boolean);

async function typed(page, words) {
  await page.type("#command-text", words);
  await page.until(() => page.find("#command-text").value === "", "the answer to what was typed");
}

for (const name of ["match", "match-computer", "match-slow"]) {
  test(`after my move nothing says that it is my turn: ${name}`, async (t) => {
    const { page, server } = await openMatch(t, { page: name });
    assert.ok(told(page).some((words) => words.startsWith("Your turn.")), "what is said on arrival");
    await typed(page, "board");
    assert.match(page.text("#answer"), /Your turn\.$/);
    await page.press("1");
    await server.play();
    assert.deepEqual(told(page).filter((words) => /your turn|sow any/i.test(words)), []);
    assert.ok(told(page).some((words) => words.startsWith("You sowed 3 seeds from pit 1.")), "what was played");
  });
}

test("a move leaves no older sentence beside its own", async (t) => {
  const { page, server } = await openMatch(t, { you: 1 });
  await server.offer({ kind: "draw", by: 0 });
  assert.match(page.text("#say-soon"), /Anna offers a draw/);
  await server.offer();
  await server.play();
  assert.equal(page.text("#say-soon"), "");
  assert.match(page.text("#say-now"), /^Anna sowed 3 seeds from pit 1\. Your turn\./);
});
