/** The page of one table: who sits there, and where it leads. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage, rendered } from "../dom/page.js";
import { messages } from "../lobby/front.js";

const tables = () => messages().lobby.tables;
const table = (id, more = {}) => ({ ...tables().find((each) => each.id === id), ...more });
const chairs = (page) => page.findAll("#chairs .row-title").map(({ textContent }) => textContent);
const led = (page) => page.left.map(({ url }) => url);

/** The page of Anna's table, or of that by invitation. */
async function openTable(t, name = "table", path = "/t/annas-table") {
  const page = await openPage(t, { html: rendered(name), path, modules: ["pages/table.js"] });
  const site = await page.feed("lobby");
  await site.open(messages().lobby);
  const me = await page.feed("me");
  await me.open(messages().hello);
  return { page, site, me };
}

test("who sits down appears at the table, and who stands up goes", async (t) => {
  const { page, site } = await openTable(t);
  assert.deepEqual(chairs(page), ["Anna", "Free", "Free"]);
  await site.tell({ type: "table", number: 11, table: table("annas-table", { taken: ["Anna", "Ben"], levels: [null, null] }) });
  assert.deepEqual(chairs(page), ["Anna", "Ben", "Free"]);
  assert.deepEqual(page.findAll("#chairs .presence").map((dot) => dot.hasAttribute("data-here")), [true, true, false]);
  await site.tell({ type: "table", number: 12, table: table("annas-table") });
  assert.deepEqual(chairs(page), ["Anna", "Free", "Free"]);
});

test("a computer's chair says its level, and who set the table may take it away", async (t) => {
  const { page, site } = await openTable(t);
  await site.tell({ type: "table", number: 11, table: table("annas-table", { taken: ["Anna", "Sprout"], levels: [null, 1] }) });
  const [, chair] = page.findAll("#chairs > li");
  assert.match(chair.querySelector("[data-part=level]").textContent, /1/);
  const remove = chair.querySelector("[data-part=remove]");
  assert.equal(remove.hidden, false);
  assert.equal(remove.querySelector("[name=name]").value, "Sprout");
  assert.equal(remove.querySelector("button").getAttribute("aria-label"), "Remove Sprout");
});

test("its match takes everybody along", async (t) => {
  const { page, site } = await openTable(t);
  await site.tell({ type: "table", number: 11, table: table("annas-table", { match: "begun" }) });
  assert.deepEqual(led(page), ["/m/begun"]);
});

test("a table that is cancelled is looked at again, and says so", async (t) => {
  const { page, site } = await openTable(t);
  await site.tell({ type: "table-gone", number: 11, id: "annas-table", begun: false });
  assert.deepEqual(led(page), ["/t/annas-table"]);
});

test("a table that the list does not hold is looked at again", async (t) => {
  const page = await openPage(t, { html: rendered("table"), path: "/t/annas-table", modules: ["pages/table.js"] });
  page.answer("/t/annas-table", "", 404);
  const site = await page.feed("lobby");
  await site.open({ ...messages().lobby, tables: [] });
  assert.equal(page.fetched.at(-1).method, "HEAD");
  assert.deepEqual(led(page), ["/t/annas-table"]);
});

test("the address bar shows the invitation, and the page still knows its table", async (t) => {
  const html = rendered("table-by-invitation").replace("data-private", 'data-private data-invitation="/i/secret"');
  const page = await openPage(t, { html, path: "/t/by-invitation", modules: ["pages/table.js"] });
  assert.equal(page.window.location.pathname, "/i/secret");
  const site = await page.feed("lobby");
  await site.open(messages().lobby);
  await site.tell({ type: "table-gone", number: 11, id: "by-invitation", begun: false });
  assert.deepEqual(led(page), ["/t/by-invitation"]);
});

test("a table by invitation follows what its people are told", async (t) => {
  const { page, me } = await openTable(t, "table-by-invitation", "/t/by-invitation");
  await me.tell({ type: "table", table: table("by-invitation", { taken: ["Anna", "Ben"], levels: [null, null] }) });
  assert.deepEqual(chairs(page), ["Anna", "Ben"]);
  await me.tell({ type: "table", table: table("by-invitation", { match: "begun" }) });
  assert.deepEqual(led(page), ["/m/begun"]);
});

test("a host at the table reads that the challenge was declined, and has nothing left to press", async (t) => {
  const { page, me } = await openTable(t, "table-by-invitation", "/t/by-invitation");
  await me.tell({ type: "declined", table: "by-invitation", name: "Ben", title: "Kalah" });
  assert.equal(page.text("#table .lead"), "Ben declined your challenge.");
  assert.equal(page.shows("#table .columns"), false);
  assert.equal(page.text("#news"), "Ben declined your challenge.");
  await me.tell({ type: "table-gone", id: "by-invitation" });
  assert.deepEqual(led(page), []);
});

test("the link is copied, and sent by the sheet of phones where there is one", async (t) => {
  const shared = [];
  const page = await openPage(t, {
    html: rendered("table"),
    path: "/t/annas-table",
    modules: ["pages/table.js"],
    before: ({ window }) => {
      Object.defineProperty(window.navigator, "clipboard", { value: { writeText: async (text) => shared.push(text) } });
      Object.defineProperty(window.navigator, "share", { value: async ({ url }) => shared.push(url) });
    },
  });
  const link = page.find("#link-1").value;
  await page.click(".invitation [data-copy], .invitation button");
  assert.deepEqual(shared, [link]);
  assert.match(page.text(".invitation"), /Copied/);
  await page.time.pass(2_000);
  assert.doesNotMatch(page.text(".invitation"), /Copied/);
  await page.click("[data-share]");
  assert.deepEqual(shared, [link, link]);
});
