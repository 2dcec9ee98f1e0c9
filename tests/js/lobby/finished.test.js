import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage } from "../dom/page.js";

const html = (finished, empty) => `<p id="no-mine">${empty}</p><section id="finished" data-live>${finished}</section>`;

const EMPTY = ["", "Your games will be here"];
const OVER = ['<a href="/m/k7w2m9xqd4">Kalah</a>', "You have no games in progress."];

async function bound(t, playing, { shown = EMPTY, fresh = OVER } = {}) {
  const page = await openPage(t, { html: html(...shown), modules: ["lobby/finished.js"] });
  page.answer("/", fresh ? html(...fresh) : "", fresh ? 200 : 503);
  return { tell: page.modules[0].bindFinished(playing), loads: () => page.fetched.length };
}

test("a match that leaves those in play is shown among the finished ones", async (t) => {
  const { tell } = await bound(t, []);
  await tell(["k7w2m9xqd4"]);
  assert.equal(globalThis.document.querySelector("#finished a"), null);
  await tell([]);
  assert.equal(globalThis.document.querySelector("#finished a").textContent, "Kalah");
  assert.equal(globalThis.document.getElementById("no-mine").textContent, OVER[1]);
});

test("a match that ended before the first list came is shown among the finished ones", async (t) => {
  const { tell } = await bound(t, ["k7w2m9xqd4"]);
  await tell([]);
  assert.notEqual(globalThis.document.querySelector("#finished a"), null);
});

test("nothing is asked for while all go on", async (t) => {
  const { tell, loads } = await bound(t, ["k7w2m9xqd4"]);
  await tell(["k7w2m9xqd4", "m9xqd4k7w2"]);
  assert.equal(loads(), 0);
});

test("a page that cannot be loaded leaves the list as it is", async (t) => {
  const { tell } = await bound(t, ["k7w2m9xqd4"], { shown: OVER, fresh: null });
  await tell([]);
  assert.notEqual(globalThis.document.querySelector("#finished a"), null);
});
