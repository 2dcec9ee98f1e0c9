/** The lists of the front page, kept live by what the sockets tell. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { JSDOM } from "jsdom";

import { rendered } from "../dom/page.js";
import { messages, openFront, rows } from "./front.js";

const table = (id) => messages().lobby.tables.find((each) => each.id === id);
const match = (id) => messages().lobby.matches.find((each) => each.id === id);
/** A new table of Ben's. */
const another = (more = {}) => ({ ...table("bens-table"), id: "new-table", preset: "Classic", ...more });

/** An element of the front page before any script has run. @param {string} selector */
const served = (selector) => new JSDOM(rendered("lobby")).window.document.querySelector(selector);

/** A row as the document has it, without what differs between a live row and a served one for no reader. */
function markup(row) {
  return row.outerHTML
    .replace(/\s*list-row-new/g, "")
    .replace(/=""/g, "")
    .replace(/(csrfmiddlewaretoken" value=")[^"]*/g, "$1")
    .replace(/\s+/g, " ")
    .replaceAll("> <", "><")
    .replaceAll(' class="list-row"', "")
    .replace(/<img[^>]*>/g, "");
}

test("a new table appears first among those to join, and is said", async (t) => {
  const { page, site } = await openFront(t);
  assert.deepEqual(rows(page, "open-tables"), ["bens-table"]);
  await site.tell({ type: "table", number: 11, table: another() });
  assert.deepEqual(rows(page, "open-tables"), ["new-table", "bens-table"]);
  assert.match(page.text("#open-tables > [data-id=new-table]"), /Rules: Classic/);
  assert.equal(page.text("#news"), "Ben created a table: Kalah");
});

for (const [kind, list, id, empty] of [
  ["table", "open-tables", "bens-table", "tables"],
  ["table of one's own", "my-tables", "annas-table", "tables"],
  ["match of one's own", "my-matches", "annas-match", "matches"],
]) {
  test(`a live row of a ${kind} is the row that the server writes`, async (t) => {
    const asServed = served(`#${list} > [data-id="${id}"]`);
    const { page, site } = await openFront(t, { lobby: { ...messages().lobby, [empty]: [] } });
    assert.deepEqual(rows(page, list), []);
    await site.tell({ ...messages().lobby, number: 12 });
    assert.equal(markup(page.find(`#${list} > [data-id="${id}"]`)), markup(asServed));
  });
}

test("a live row of somebody who waits to be paired is the row that the server writes", async (t) => {
  const asServed = served("#open-seeks > li");
  const { counts, ...list } = messages().lobby;
  const { page, site } = await openFront(t, { lobby: { ...list, counts: { ...counts, seeks: [], waiting: 0 } } });
  assert.equal(page.findAll("#open-seeks > li").length, 0);
  await site.tell({ type: "counts", ...counts });
  assert.equal(markup(page.find("#open-seeks > li")), markup(asServed));
});

test("a live row of a saved match is the row that the server writes", async (t) => {
  const asServed = served("#my-saved > [data-id=saved]");
  const { page, me } = await openFront(t);
  await me.tell({ type: "saved", matches: [] });
  assert.equal(page.shows("#saved-title"), false);
  await me.tell(messages().saved);
  assert.equal(markup(page.find("#my-saved > [data-id=saved]")), markup(asServed));
});

test("a table by invitation is among one's own, and not among those to join", async (t) => {
  const { page } = await openFront(t);
  assert.ok(rows(page, "my-tables").includes("by-invitation"));
  assert.match(page.text("#my-tables > [data-id=by-invitation]"), /By invitation/);
  assert.ok(!rows(page, "open-tables").includes("by-invitation"));
});

test("a table that was cancelled goes", async (t) => {
  const { page, site } = await openFront(t);
  await site.tell({ type: "table-gone", number: 11, id: "bens-table", begun: false });
  assert.deepEqual(rows(page, "open-tables"), []);
  assert.equal(page.shows("#no-tables"), false);
  await site.tell({ type: "counts", ...messages().lobby.counts, seeks: [] });
  assert.equal(page.shows("#no-tables"), true);
});

test("who sits at a table is taken to its match", async (t) => {
  const { page, site } = await openFront(t);
  await site.tell({ type: "table", number: 11, table: { ...table("bens-table"), match: "others" } });
  assert.deepEqual(page.left, []);
  await site.tell({ type: "table", number: 12, table: { ...table("annas-table"), match: "begun" } });
  assert.deepEqual(page.left.map(({ url }) => url), ["/m/begun"]);
});

test("who sits at a table whose match is for its players alone is taken there by its address", async (t) => {
  const { page, site } = await openFront(t);
  await site.tell({ type: "table-gone", number: 11, id: "annas-table", begun: true });
  assert.deepEqual(page.left.map(({ url }) => url), ["/t/annas-table"]);
});

test("a table that the lobby does not show is told to who was there, and leads to the match", async (t) => {
  const { page, me } = await openFront(t);
  await me.tell({ type: "table", table: { ...table("by-invitation"), match: "begun" } });
  assert.deepEqual(page.left.map(({ url }) => url), ["/m/begun"]);
});

test("a rated table says why one may not sit down, and offers no button", async (t) => {
  const html = rendered("lobby").replace(/data-casual="[^"]*"/, 'data-casual="Guests play casual matches."');
  const { page, site } = await openFront(t, { html });
  await site.tell({ type: "table", number: 11, table: another({ rated: true }) });
  assert.match(page.text("#open-tables > [data-id=new-table]"), /Guests play casual matches\./);
  assert.equal(page.shows("#open-tables > [data-id=new-table] [data-part=sit]"), false);
  // Those where one may sit down come first.
  assert.deepEqual(rows(page, "open-tables"), ["bens-table", "new-table"]);
});

test("tables are filtered by game, also those that come later", async (t) => {
  const { page, site } = await openFront(t);
  await page.click("#filter [data-game=kalah]");
  await site.tell({ type: "table", number: 11, table: another() });
  await site.tell({ type: "table", number: 12, table: another({ id: "morris-table", game: "morris" }) });
  assert.deepEqual(rows(page, "open-tables"), ["new-table", "bens-table"]);
  assert.equal(page.find("#filter [aria-current]").dataset.game, "kalah");
  assert.match(page.window.location.href, /\?game=kalah#tables$/);
  await page.click('#filter [data-game=""]');
  assert.deepEqual(rows(page, "open-tables"), ["morris-table", "new-table", "bens-table"]);
});

test("people who wait for a game are counted on its tile, also those at tables", async (t) => {
  const { page, site } = await openFront(t);
  assert.equal(page.text("#tiles [data-game=kalah] [data-part=waiting]"), "2 waiting");
  assert.equal(page.shows("#tiles [data-game=morris] [data-part=waiting]"), false);
  await site.tell({ type: "table-gone", number: 11, id: "bens-table", begun: false });
  assert.equal(page.text("#tiles [data-game=kalah] [data-part=waiting]"), "1 waiting");
  await site.tell({ type: "counts", ...messages().lobby.counts, seeks: [] });
  assert.equal(page.shows("#tiles [data-game=kalah] [data-part=waiting]"), false);
});

test("who waits themselves is no company for themselves", async (t) => {
  const { page, me } = await openFront(t);
  assert.equal(page.findAll("#open-seeks > li").length, 1);
  await me.tell(messages().searching);
  assert.equal(page.findAll("#open-seeks > li").length, 0);
  assert.equal(page.text("#tiles [data-game=kalah] [data-part=waiting]"), "1 waiting");
});

test("the counters of the site follow what is told", async (t) => {
  const { page, site } = await openFront(t);
  await site.tell({ type: "counts", online: 3, playing: 1, waiting: 0, seeks: [] });
  assert.equal(page.text("[data-count=online]"), "3 people online");
  assert.equal(page.text("[data-count=playing]"), "1 match in play");
  assert.equal(page.shows("[data-count=waiting]"), false);
});

test("the badge, the header and the title count the matches that wait for me", async (t) => {
  const { page, me } = await openFront(t);
  assert.equal(page.text("#mine-badge .number"), "1");
  assert.equal(page.find("#waiting").getAttribute("aria-label"), "Your turn in 1 game");
  assert.match(page.document.title, /^\(1\) Parlour/);
  assert.equal(page.shows("#my-matches [data-part=turn]"), true);
  assert.equal(page.text("#my-matches [data-part=left]"), "");
  await me.tell({ type: "turn", match: "annas-match", mine: true, left: 3 * 86_400_000 + 1_000 });
  assert.equal(page.text("#my-matches [data-part=left]"), "3 d 0 h left");
  await me.tell({ type: "turn", match: "annas-match", mine: false, left: null });
  assert.equal(page.text("#my-matches [data-part=left]"), "");
  assert.equal(page.shows("#mine-badge"), false);
  assert.equal(page.shows("#waiting"), false);
  assert.match(page.document.title, /^Parlour/);
  assert.equal(page.shows("#my-matches [data-part=turn]"), false);
});

test("the page begins with the matches that wait for me, until none does", async (t) => {
  const { page, me } = await openFront(t);
  assert.deepEqual(rows(page, "turn-matches"), ["annas-match"]);
  assert.equal(page.shows("#turn"), true);
  await me.tell({ type: "turn", match: "annas-match", mine: false, left: null });
  assert.equal(page.shows("#turn"), false);
});

test("a match goes to the shelf and comes back", async (t) => {
  const { page, site, me } = await openFront(t);
  const saved = messages().saved;
  await me.tell({ ...saved, matches: [...saved.matches, { ...saved.matches[0], id: "annas-match" }] });
  assert.deepEqual(rows(page, "my-saved"), ["saved", "annas-match"]);
  assert.deepEqual(rows(page, "my-matches"), []);
  assert.match(page.text("#my-saved > [data-id=annas-match]"), /Ben’s turn · saved a moment ago/);
  await me.tell({ type: "saved", matches: [] });
  await site.tell({ type: "match", number: 11, match: match("annas-match") });
  assert.deepEqual(rows(page, "my-matches"), ["annas-match"]);
  assert.equal(page.shows("#saved"), false);
});

test("matches that begin together are all listed, the newest first", async (t) => {
  const { page, site } = await openFront(t);
  const [newer, older] = ["newer", "older"].map((id) => ({ ...match("annas-match"), id }));
  await site.tell({ type: "matches", number: 11, matches: [newer, older] });
  assert.deepEqual(rows(page, "my-matches").slice(0, 3), ["annas-match", "newer", "older"]);
});

test("the shelf says who is here", async (t) => {
  const { page, me } = await openFront(t);
  assert.deepEqual(me.of("saved"), [{ type: "saved" }]);
  assert.equal(page.text("#my-saved [data-part=others]"), "Ben is away");
  const [saved] = messages().saved.matches;
  await me.tell({ type: "saved", matches: [{ ...saved, others: [{ name: "Ben", here: true, words: "Ben is here" }] }] });
  assert.equal(page.text("#my-saved [data-part=others]"), "Ben is here");
  assert.ok(page.find("#my-saved .presence").hasAttribute("data-here"));
});

test("a row that goes while it has the focus leaves the focus in the list", async (t) => {
  const { page, site } = await openFront(t);
  await site.tell({ type: "table", number: 11, table: another() });
  page.find("#open-tables > [data-id=new-table] [data-part=link]").focus();
  await site.tell({ type: "table-gone", number: 12, id: "new-table", begun: false });
  assert.ok(page.find("#open-tables > [data-id=bens-table]").contains(page.document.activeElement));
});

test("a lost change makes the page ask for the list again", async (t) => {
  const { page, site } = await openFront(t);
  await site.tell({ type: "table", number: 12, table: another() });
  await page.time.pass(1000);
  assert.equal(site.of("list").length, 1);
  await site.tell({ ...messages().lobby, number: 12, tables: [another()] });
  assert.deepEqual(rows(page, "open-tables"), ["new-table"]);
});

test("a new connection begins with a list of its own", async (t) => {
  const { page, site } = await openFront(t);
  await site.lose();
  await page.time.pass(5000);
  const again = await page.feed("lobby");
  assert.notEqual(again, site);
  await again.open({ ...messages().lobby, number: 2, tables: [another()] });
  assert.deepEqual(rows(page, "open-tables"), ["new-table"]);
  assert.deepEqual(rows(page, "my-tables"), []);
});
