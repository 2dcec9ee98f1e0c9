/** Looking back at a match on its page: from a ply in the address, played by itself, by buttons and keys. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { openMatch } from "../dom/match.js";

const LAST = 4;
const hash = (page) => page.window.location.hash;
const shown = (page) => Number(page.find("#match").dataset.ply);
const labels = (page) => page.findAll("#board [data-cell]").map((cell) => cell.getAttribute("aria-label"));

/** A match that is over after four plies, at the one that its address names. */
function finished(t, { at = LAST, beyond = "", ...options } = {}) {
  const outcome = { winners: [0], reason: "swept", scores: [20, 16] };
  const path = `/m/match${beyond || (at < LAST ? `#${at}` : "")}`;
  return openMatch(t, { you: null, ply: LAST, shown: at, outcome, path, ...options });
}

test("an address with a ply opens there", async (t) => {
  const { page } = await finished(t, { at: 2 });
  assert.equal(shown(page), 2);
  assert.equal(page.text("#progress"), "Move 2 of 4");
  const there = labels(page);
  await page.click("#next");
  assert.equal(shown(page), 3);
  assert.notDeepEqual(labels(page), there);
  assert.equal(hash(page), "#3");
  assert.ok(page.find("#ply-address").value.endsWith("/m/match#3"));
  page.window.location.hash = "#2";
  page.window.dispatchEvent(new page.window.Event("hashchange"));
  await page.time.pass(0);
  assert.equal(shown(page), 2);
  assert.deepEqual(labels(page), there);
});

test("an address beyond the match opens at its end", async (t) => {
  const { page } = await finished(t, { beyond: "#99999" });
  assert.equal(shown(page), LAST);
  assert.equal(page.text("#headline"), "Anna won");
});

test("the address of a move is copied, and said so for a moment", async (t) => {
  const copied = [];
  const clipboard = { writeText: async (text) => void copied.push(text) };
  const before = ({ window }) => Object.defineProperty(window.navigator, "clipboard", { value: clipboard });
  const { page } = await finished(t, { at: 2, before });
  const button = page.find("#replay [data-copy]");
  await page.click(button);
  assert.deepEqual(copied, ["http://parlour.test/m/match#2"]);
  assert.match(button.textContent, /Copied/);
  await page.time.pass(2_000);
  assert.doesNotMatch(button.textContent, /Copied/);
});

test("a replay plays ply by ply to the end, and stops", async (t) => {
  const { page } = await finished(t, { at: 1 });
  await page.click("#play");
  assert.equal(page.text("#play"), "Pause");
  await page.time.pass(900);
  assert.equal(shown(page), 2);
  assert.equal(hash(page), "#1", "While it plays the address would change too often.");
  await page.time.pass(900 * 2);
  assert.equal(shown(page), LAST);
  assert.equal(page.text("#play"), "Replay");
  assert.equal(hash(page), "");
});

test("a replay begins anew at the end, and stops by its key", async (t) => {
  const { page } = await finished(t);
  page.find("#play").focus();
  await page.press("p");
  assert.equal(shown(page), 0);
  await page.time.pass(900);
  assert.equal(shown(page), 1);
  await page.press("p");
  assert.equal(page.text("#play"), "Replay");
  await page.time.pass(5_000);
  assert.equal(shown(page), 1);
});

test("the chosen pace holds, also for the next match", async (t) => {
  const { page } = await finished(t, { at: 0 });
  await page.choose("#pace", "4");
  await page.click("#play");
  await page.time.pass(225 * 3);
  assert.equal(shown(page), 3);
  assert.equal(page.window.localStorage.getItem("parlour:pace"), "4");
  const again = await finished(t, { before: ({ window }) => window.localStorage.setItem("parlour:pace", "4") });
  assert.equal(again.page.find("#pace").value, "4");
});

test("keys lead to the beginning and to the end, and arrows from ply to ply", async (t) => {
  const { page } = await finished(t);
  await page.press("ArrowLeft");
  assert.equal(shown(page), LAST - 1);
  page.find("#play").focus();
  await page.press("Home");
  assert.equal(shown(page), 0);
  await page.press("ArrowRight");
  assert.equal(shown(page), 1);
  await page.press("End");
  assert.equal(shown(page), LAST);
});

test("the keys of the pace are its own", async (t) => {
  const { page } = await finished(t, { at: 2 });
  page.find("#pace").focus();
  await page.press("ArrowRight");
  assert.equal(shown(page), 2);
});

test("pieces fly while it plays, unless nothing is to move", async (t) => {
  for (const [media, flies] of [[[], true], [["(prefers-reduced-motion: reduce)"], false]]) {
    const { page } = await finished(t, { at: 0, media });
    let flown = 0;
    const layer = page.find(".board-flights");
    new page.window.MutationObserver(() => (flown += layer.children.length)).observe(layer, { childList: true });
    await page.click("#play");
    await page.time.pass(6_000);
    assert.ok(shown(page) > 1);
    assert.equal(flown > 0, flies);
  }
});

test("a replay catches up with a match that goes on, and stays live", async (t) => {
  const { page, server } = await openMatch(t, { you: null, ply: 2 });
  await page.choose("#pace", "4");
  await page.click("#play");
  assert.equal(shown(page), 0);
  await page.time.pass(225 * 3);
  assert.equal(shown(page), 2);
  assert.equal(page.text("#play"), "Replay");
  assert.ok(!page.shows("#live"));
  await server.play();
  assert.equal(shown(page), 3);
  assert.equal(hash(page), "");
  assert.ok(!page.shows("#score-links"));
});

test("the position is there before the plies that led to it", async (t) => {
  const { page, server } = await openMatch(t, { you: null });
  server.ply = LAST;
  await server.tell(server.snapshot());
  await server.shown(LAST);
  assert.equal(server.socket.of("sync").at(-1).after, 0);
  await server.tell(server.upTo(LAST));
  assert.ok(!page.shows("#no-moves"));
  assert.ok(page.find("#moves [aria-current]"));
});
