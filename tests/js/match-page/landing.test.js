/** While pieces move, texts and counters say what the board shows: the words of a move come once its pieces have landed. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { openMatch } from "../dom/match.js";

const COACHED = { page: "match-computer", match: { seats: [{ seat: 0, name: "Anna", level: null }, { seat: 1, name: "Sprout", level: 1 }] } };
const STORES = ["6", "13"];
const TEXTS = ["#headline", "#reason", "#moves", "#progress", "#coach [data-part=words]", "#coach [data-part=told]"];
const STEP = 20;
const LONGEST = 20_000;

const said = (page) => TEXTS.map((each) => page.findAll(each).map(({ textContent }) => textContent).join());
const tallies = (page) => [0, 1].map((seat) => page.text(`.player[data-seat="${seat}"] .player-tally`));

/** A ply is played: call `look` every few milliseconds until its pieces have landed. */
async function flown(page, server, look) {
  await server.tell(server.upTo(server.ply + 1, server.ply));
  for (let passed = 0; page.find("#match").dataset.ply !== String(server.ply); passed += STEP) {
    assert.ok(passed < LONGEST, "the pieces do not land");
    look();
    await page.time.pass(STEP);
  }
}

test("the counters beside the names count with the seeds", async (t) => {
  const { page, server } = await openMatch(t, { media: [] });
  for (let ply = 0; ply < 4; ply += 1) {
    await flown(page, server, () => {
      const stores = STORES.map((cell) => /: (\d+) seed/.exec(page.find(`[data-cell="${cell}"]`).getAttribute("aria-label"))[1]);
      assert.deepEqual(tallies(page), stores);
    });
  }
});

for (const game of ["kalah", "morris", "cantstop"]) {
  test(`no word of a move of ${game} leads its pieces`, async (t) => {
    const { page, server } = await openMatch(t, { game, media: [] });
    for (let ply = 0; ply < 4; ply += 1) {
      const before = said(page);
      await flown(page, server, () => assert.deepEqual(said(page), before));
      assert.notDeepEqual(said(page), before);
    }
  });
}

test("the coach speaks once the pieces have landed, and is silent while they move", async (t) => {
  const { page, server } = await openMatch(t, { ...COACHED, media: [] });
  assert.notEqual(page.text("#coach [data-part=words]"), "");
  await flown(page, server, () => assert.equal(page.text("#coach [data-part=words]"), ""));
});

test("a step through the moves is marked at once", async (t) => {
  const { page, server } = await openMatch(t, { ply: 2, media: [] });
  await server.tell(server.upTo(3, 2));
  await page.press("ArrowLeft");
  assert.equal(page.find("#moves [aria-current]").dataset.ply, "1");
});
