/** The live part of a tournament's page: fetched anew once something has changed. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage } from "../dom/page.js";

const ASK = 8_000;
const pageOf = (live, version) => `<main id="tournament" data-asks="/tournament/cup/version" data-version="${version}"><div id="live" data-live>${live}</div></main>`;

async function open(t, live) {
  const page = await openPage(t, { html: pageOf(live, 1), path: "/tournament/cup", modules: ["lobby/tournament-live.js"] });
  page.answer("/tournament/cup/version", { version: 1 });
  page.modules[0].followTournament();
  return page;
}

async function change(page, live) {
  page.answer("/tournament/cup/version", { version: 2 });
  page.answer("/tournament/cup", pageOf(live, 2));
  await page.time.pass(ASK);
}

test("nothing is fetched while nothing has changed", async (t) => {
  const page = await open(t, "Round 1");
  await page.time.pass(ASK);
  assert.deepEqual(page.fetched.map(({ url }) => url), ["/tournament/cup/version"]);
});

test("a change is shown, and folds that were open stay open", async (t) => {
  const page = await open(t, "<p>Round 1</p><details open><summary>More</summary></details>");
  await change(page, "<p>Round 2</p><details><summary>More</summary></details>");
  assert.equal(page.text("#live p"), "Round 2");
  assert.ok(page.find("#live details").open);
});

test("a page that is older than what was announced is fetched again", async (t) => {
  const page = await open(t, "Round 1");
  page.answer("/tournament/cup/version", { version: 2 });
  page.answer("/tournament/cup", pageOf("Round 1", 1));
  await page.time.pass(ASK);
  page.answer("/tournament/cup", pageOf("Round 2", 2));
  await page.time.pass(ASK);
  assert.equal(page.text("#live"), "Round 2");
});

test("a change is shown while a fold has the focus", async (t) => {
  const page = await open(t, '<p>Round 1</p><details id="more"><summary>More</summary></details>');
  page.find("summary").focus();
  await change(page, '<p>Round 2</p><details id="more"><summary>More</summary></details>');
  assert.equal(page.text("#live p"), "Round 2");
  assert.equal(page.document.activeElement, page.find("summary"));
});

test("a server that does not answer changes nothing", async (t) => {
  const page = await open(t, "Round 1");
  page.answer("/tournament/cup/version", "", 503);
  await page.time.pass(ASK);
  assert.equal(page.text("#live"), "Round 1");
});

test("every live part is updated, and typed text is kept", async (t) => {
  const html = (words, version) =>
    `<main id="tournament" data-asks="/tournament/cup/version" data-version="${version}">
      <form id="entry" data-live><label>${words}<input name="code"></label></form><div id="live" data-live>${words}</div></main>`;
  const page = await openPage(t, { html: html("Round 1", 1), path: "/tournament/cup", modules: ["lobby/tournament-live.js"] });
  page.modules[0].followTournament();
  page.answer("/tournament/cup/version", { version: 2 });
  page.answer("/tournament/cup", html("Round 2", 2));
  await page.type("#entry input", "ABC", { enter: false });
  await page.time.pass(ASK);
  assert.deepEqual([page.text("#live"), page.text("#entry")], ["Round 2", "Round 2"]);
  assert.equal(page.find("#entry input").value, "ABC");
  assert.equal(page.document.activeElement, page.find("#entry input"));
});
