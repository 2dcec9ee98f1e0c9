/** The live part of a tournament's page: fetched anew once something has changed. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage } from "../dom/page.js";

const ASK = 8_000;
const pageOf = (live, version) => `<main id="tournament" data-tournament="cup" data-version="${version}"><div id="live">${live}</div></main>`;

async function open(t, live) {
  const page = await openPage(t, { html: pageOf(live, 1), path: "/tournament/cup", modules: ["lobby/tournament-live.js"] });
  page.answer("/api/v1/tournaments/cup", { version: 1 });
  page.modules[0].followTournament();
  return page;
}

async function change(page, live) {
  page.answer("/api/v1/tournaments/cup", { version: 2 });
  page.answer("/tournament/cup", pageOf(live, 2));
  await page.time.pass(ASK);
}

test("nothing is fetched while nothing has changed", async (t) => {
  const page = await open(t, "Round 1");
  await page.time.pass(ASK);
  assert.deepEqual(page.fetched.map(({ url }) => url), ["/api/v1/tournaments/cup"]);
});

test("a change is shown, and folds that were open stay open", async (t) => {
  const page = await open(t, "<p>Round 1</p><details open><summary>More</summary></details>");
  await change(page, "<p>Round 2</p><details><summary>More</summary></details>");
  assert.equal(page.text("#live p"), "Round 2");
  assert.ok(page.find("#live details").open);
});

test("a page that is older than what was announced is fetched again", async (t) => {
  const page = await open(t, "Round 1");
  page.answer("/api/v1/tournaments/cup", { version: 2 });
  page.answer("/tournament/cup", pageOf("Round 1", 1));
  await page.time.pass(ASK);
  page.answer("/tournament/cup", pageOf("Round 2", 2));
  await page.time.pass(ASK);
  assert.equal(page.text("#live"), "Round 2");
});

test("what somebody has the focus in is not replaced until they leave it", async (t) => {
  const page = await open(t, '<a href="/m/match">Watch</a>');
  page.find("#live a").focus();
  await change(page, "<p>Round 2</p>");
  assert.equal(page.text("#live"), "Watch");
  page.find("#live a").blur();
  await page.time.pass(ASK);
  assert.equal(page.text("#live"), "Round 2");
});

test("a server that does not answer changes nothing", async (t) => {
  const page = await open(t, "Round 1");
  page.answer("/api/v1/tournaments/cup", "", 503);
  await page.time.pass(ASK);
  assert.equal(page.text("#live"), "Round 1");
});

const inState = (state, words, version) =>
  `<main id="tournament" data-tournament="cup" data-version="${version}">
    <form id="entry" data-of-state="${state}"><button>${words}</button></form><div id="live">${state}</div></main>`;

test("the way in is replaced when the tournament has another state, and not under the hands of somebody", async (t) => {
  const page = await openPage(t, { html: inState("open", "Enter", 1), path: "/tournament/cup", modules: ["lobby/tournament-live.js"] });
  const changed = async (version, html) => {
    page.answer("/api/v1/tournaments/cup", { version });
    page.answer("/tournament/cup", html);
    await page.time.pass(ASK);
  };
  page.modules[0].followTournament();
  await changed(2, inState("open", "Enter once more", 2));
  assert.equal(page.text("#entry"), "Enter");
  page.find("#entry button").focus();
  await changed(3, inState("finished", "Over", 3));
  assert.deepEqual([page.text("#live"), page.text("#entry")], ["finished", "Enter"]);
  page.find("#entry button").blur();
  await page.time.pass(ASK);
  assert.equal(page.text("#entry"), "Over");
});
