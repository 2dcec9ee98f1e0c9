/** The end of a match on its page: the sheet, its ways on, and that nothing is said that is no longer so. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { openMatch } from "../dom/match.js";

async function resigned(t, seat, options = {}) {
  const opened = await openMatch(t, { ply: 1, ...options });
  await opened.server.leave(seat);
  return opened;
}

test("the winner and the one who resigned are each told so", async (t) => {
  const won = await resigned(t, 0, { you: 1 });
  assert.equal(won.page.text("#end-title"), "You won");
  assert.equal(won.page.text("#end-words"), "Anna resigned.");
  const { page } = await resigned(t, 0);
  assert.equal(page.text("#end-words"), "You resigned.");
  const note = page.text(".player[data-seat='0'] .player-note-words");
  assert.match(note, /resigned/);
  assert.doesNotMatch(note, /has left/);
  assert.ok(!page.shows(".player[data-seat='0'] .presence"));
});

test("watchers are offered no rematch", async (t) => {
  const { page } = await resigned(t, 0, { you: null });
  assert.ok(page.shows("#end"));
  assert.ok(!page.shows("#rematch"));
});

test("seeds fall once for the winner who saw the end, and not where nothing is to move", async (t) => {
  for (const [you, media, fallen] of [[0, [], 0], [1, [], 1], [1, ["(prefers-reduced-motion: reduce)"], 0]]) {
    const { page, server } = await openMatch(t, { ply: 1, you, media });
    await page.until(() => page.shows("#mute"), "what comes later");
    let falls = 0;
    new page.window.MutationObserver((changes) => {
      falls += changes.flatMap(({ addedNodes }) => [...addedNodes]).filter((node) => node.className === "match-fall").length;
    }).observe(page.find("#stage"), { childList: true });
    await server.leave(0);
    assert.ok(page.shows("#end"));
    assert.equal(falls, fallen);
    assert.equal(page.findAll(".match-fall").length, 0);
  }
});

test("whoever comes back finds the end, and no seeds fall", async (t) => {
  const outcome = { winners: [0], reason: "resigned", scores: [0, 0] };
  const { page } = await openMatch(t, { ply: 1, media: [], snapshot: { outcome } });
  await page.until(() => page.shows("#end"), "the sheet");
  assert.equal(page.findAll(".match-fall").length, 0);
});

test("sharing hands the device the title and the address of the match", async (t) => {
  const shared = [];
  const before = ({ window }) => {
    window.navigator.share = async (what) => void shared.push(what);
  };
  const { page } = await resigned(t, 1, { before });
  const button = page.findAll("#end button").find(({ textContent }) => textContent.trim() === "Share");
  await page.click(button);
  assert.deepEqual(shared, [{ title: "Kalah", url: page.window.location.href }]);
});

test("the sheet is closed by a key and by its button, and opened again", async (t) => {
  const { page } = await resigned(t, 1);
  await page.press("Escape");
  assert.ok(!page.shows("#end"));
  assert.equal(page.document.activeElement, page.find("#end-open"));
  await page.click("#end-open");
  assert.ok(page.shows("#end"));
  await page.click("#end-close");
  assert.ok(!page.shows("#end"));
});

test("whoever comes to watch a match that is over sees its board, and a way to the result", async (t) => {
  const outcome = { winners: [0], reason: "resigned", scores: [0, 0] };
  const { page } = await openMatch(t, { ply: 1, you: null, snapshot: { outcome } });
  await page.until(() => page.shows("#end-open"), "the way to the result");
  assert.ok(!page.shows("#end"));
});

test("of an earlier ply no end is told", async (t) => {
  const { page, server } = await resigned(t, 1);
  await page.click("#previous");
  await server.shown(1);
  assert.ok(!page.shows("#end"));
  assert.equal(page.text("#headline"), "Move 1 of 1");
  assert.equal(page.findAll(".player[data-won]").length, 0);
  for (const note of page.findAll(".player-note-words")) {
    assert.doesNotMatch(note.textContent, /won|resigned/);
  }
  assert.equal(page.find(".player[data-turn]").dataset.seat, "1");
  assert.equal(page.text("#live"), "To the end");
  await page.click("#live");
  await server.shown(2);
  assert.ok(page.shows("#end"));
  assert.equal(page.text("#headline"), "You won");
});

test("a rematch that both want leads both there, and gives watchers a link", async (t) => {
  for (const you of [0, 1, null]) {
    const { page, server } = await resigned(t, 1, { you });
    if (you !== null) {
      await page.click("#rematch");
      assert.ok(server.asked("rematch"));
    }
    await server.tell({ type: "rematch", offered: [0, 1], match: "another" });
    assert.deepEqual(page.left.map(({ url }) => url), you === null ? [] : ["/m/another"]);
    if (you === null) {
      assert.equal(page.find("#rematch-link").getAttribute("href"), "/m/another");
    }
  }
});

test("the result is shown large over the board, once, to whoever saw the end, and not where nothing is to move", async (t) => {
  for (const [media, words] of [[[], ["You won"]], [["(prefers-reduced-motion: reduce)"], []]]) {
    const { page, server } = await openMatch(t, { ply: 1, you: 1, media });
    await page.until(() => page.shows("#mute"), "what comes later");
    const shown = [];
    new page.window.MutationObserver((changes) => {
      const added = changes.flatMap(({ addedNodes }) => [...addedNodes]).filter((node) => node.className === "match-moment");
      shown.push(...added.map(({ textContent }) => textContent));
    }).observe(page.find("#stage"), { childList: true });
    await server.leave(0);
    assert.deepEqual(shown, words);
  }
});
