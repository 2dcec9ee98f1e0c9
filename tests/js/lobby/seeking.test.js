/** Quick pairing: the buttons that begin a search, the strip that shows it on every page, and where it leads. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { rendered } from "../dom/page.js";
import { messages, openElsewhere, openFront } from "./front.js";

const IDLE = { seek: null, paired: null };
const PAIRED = { seek: null, paired: { match: "found", opponents: ["Ben"] } };
/** A search for Classic with 5 minutes that began so many seconds ago. */
const searching = (waited = 0, more = {}) => {
  const told = messages().searching;
  return { ...told, seek: { ...told.seek, waited, ...more } };
};
const hello = ({ seek, paired }) => ({ ...messages().hello, seek, paired });
const TILE = '[name=tile][aria-pressed][value="kalah/classic/5+3"]';
const OTHER = '[name=tile][aria-pressed][value="kalah/kalaha/"]';
const pressed = (page, tile) => page.find(tile).getAttribute("aria-pressed");

/** The sheet of Kalah, open with all its choices. */
async function openSheet(page) {
  page.find("#play-kalah").showModal();
  page.findAll("#play-kalah details").forEach((choices) => choices.setAttribute("open", ""));
}

const led = (page) => page.left.map(({ url }) => url);

test("a press on a tile begins a search, closes the sheet and shows the wait at the foot of the page", async (t) => {
  const { page } = await openFront(t);
  page.answer("/pairing", searching());
  await openSheet(page);
  await page.click(TILE);
  assert.deepEqual(page.fetched.at(-1).body.tile, "kalah/classic/5+3");
  assert.equal(page.find("#play-kalah").open, false);
  assert.match(page.text("#seeking"), /Looking for an opponent/);
  assert.equal(page.text("#news"), "Looking for an opponent. Escape cancels.");
  await page.time.pass(2000);
  assert.equal(page.text("#seeking [data-part=waited]"), "2 s");
});

test("a tile that is waited for is pressed, shows the wait, and ends it", async (t) => {
  const { page } = await openFront(t, { hello: hello(searching(3)) });
  await openSheet(page);
  for (const tile of page.findAll(TILE)) {
    assert.equal(tile.getAttribute("aria-pressed"), "true");
    assert.match(tile.textContent, /3 s\s*Cancel/);
  }
  page.answer("/pairing/cancel", IDLE);
  await page.click(TILE);
  assert.equal(page.fetched.at(-1).url, "/pairing/cancel");
  assert.equal(page.shows("#seeking"), false);
  assert.equal(pressed(page, TILE), "false");
  assert.equal(page.text("#news"), "Search cancelled.");
});

test("Play now on the sheet is pressed while its tile is waited for", async (t) => {
  const { page } = await openFront(t, { hello: hello(searching()) });
  const values = page.findAll("#play-kalah [name=tile][aria-pressed=true]").map(({ value }) => value);
  assert.deepEqual(values, ["kalah/classic/5+3", "kalah/classic/5+3"]);
});

test("for a rating Play now is for the usual rules of rated matches", async (t) => {
  const { page } = await openFront(t);
  await openSheet(page);
  const play = page.find("#play-kalah [data-seek] > .way");
  await page.choose("#play-kalah [name=rated][value=yes]");
  assert.equal(play.value, "kalah/pie-rule/5+3");
  assert.match(page.text("#play-kalah [data-seek] > .way [data-of=rated]"), /Pie rule/);
  assert.equal(page.find("#play-kalah [data-seek] > .way [data-of=casual]").hidden, true);
  await page.choose("#play-kalah [name=rated][value=no]");
  assert.equal(play.value, "kalah/classic/5+3");
});

test("another tile takes the place of the first", async (t) => {
  const { page } = await openFront(t, { hello: hello(searching()) });
  page.answer("/pairing", searching(0, { preset: "kalaha", clock: "" }));
  await openSheet(page);
  await page.click(OTHER);
  assert.equal(pressed(page, OTHER), "true");
  assert.equal(pressed(page, TILE), "false");
});

test("Escape ends the wait, but not while a dialog is open", async (t) => {
  const { page } = await openFront(t, { hello: hello(searching()) });
  page.answer("/pairing/cancel", IDLE);
  await openSheet(page);
  await page.press("Escape");
  assert.equal(page.shows("#seeking"), true);
  await page.press("Escape");
  assert.equal(page.shows("#seeking"), false);
});

test("a search that is refused says why in the sheet, which stays", async (t) => {
  const { page } = await openFront(t);
  page.answer("/pairing", { detail: "This is not offered." }, 422);
  await openSheet(page);
  await page.click(TILE);
  assert.equal(page.shows("#seeking"), false);
  assert.equal(page.find("#play-kalah").open, true);
  const form = page.find(TILE).form;
  assert.equal(form.querySelector("[data-part=problem]").textContent, "This is not offered.");
});

test("one who waits is joined by one press on their row", async (t) => {
  const { page } = await openFront(t);
  page.answer("/pairing", PAIRED);
  const button = page.find("#open-seeks button");
  assert.equal(button.getAttribute("aria-label").replace(/\s/g, " "), "Play Kalah: Classic · 5 min + 3 s");
  await page.click(button);
  assert.deepEqual(page.fetched.at(-1).body.tile, "kalah/classic/5+3");
  assert.deepEqual(led(page), ["/m/found"]);
});

test("the form of a visitor leaves the page, which makes a guest", async (t) => {
  const { page } = await openFront(t, { name: "lobby-visitor" });
  await openSheet(page);
  await page.click(TILE);
  assert.deepEqual(page.fetched.filter(({ method }) => method === "POST"), []);
  const [sent] = page.left;
  assert.equal(sent.url, "/pairing");
  assert.equal(sent.fields.tile, "kalah/classic/5+3");
  assert.equal(page.find("#play-kalah input[name=rated][value=yes]").disabled, true);
});

test("a reload keeps the wait", async (t) => {
  const { page } = await openFront(t, { hello: hello(searching(64)) });
  assert.equal(page.text("#seeking [data-part=waited]"), "1:04");
  assert.equal(pressed(page, TILE), "true");
});

test("a search is seen on every page, ended there, and leads from there to the match", async (t) => {
  const { page, me } = await openElsewhere(t, { hello: hello(searching()) });
  assert.match(page.text("#seeking"), /Looking for an opponent/);
  await me.tell({ type: "pairing", ...IDLE });
  assert.equal(page.shows("#seeking"), false);
  await me.tell(searching());
  page.answer("/pairing/cancel", IDLE);
  await page.click("#seeking button:not([hidden])");
  assert.equal(page.fetched.at(-1).url, "/pairing/cancel");
  assert.equal(page.shows("#seeking"), false);
  await me.tell({ type: "pairing", ...PAIRED });
  assert.deepEqual(led(page), ["/m/found"]);
});

test("who was paired while the connection was lost is led to the match when it is back", async (t) => {
  const { page, me } = await openElsewhere(t, { hello: hello(searching()) });
  await me.lose();
  await page.time.pass(5000);
  const again = await page.feed("me");
  assert.notEqual(again, me);
  await again.open(hello(PAIRED));
  assert.deepEqual(led(page), ["/m/found"]);
});

test("while one waits the server is asked now and then how that stands", async (t) => {
  const { page, me } = await openElsewhere(t, { hello: hello(searching()) });
  await page.time.pass(11_000);
  assert.equal(me.of("pairing").length, 2);
  await me.tell({ type: "pairing", ...IDLE });
  await page.time.pass(11_000);
  assert.equal(me.of("pairing").length, 2);
});

test("who has been at the board may go elsewhere", async (t) => {
  const { page } = await openElsewhere(t, { hello: hello(PAIRED), settings: {}, before: (page) => page.window.localStorage.setItem("parlour:paired", "found") });
  assert.deepEqual(led(page), []);
});

test("the board itself stays, and is known as one where one has been", async (t) => {
  const { page } = await openElsewhere(t, { path: "/m/found", hello: hello(PAIRED) });
  assert.deepEqual(led(page), []);
  assert.equal(page.window.localStorage.getItem("parlour:paired"), "found");
});

test("who plays is not taken away, but shown the way, until they close it", async (t) => {
  const html = rendered("leaderboards").replace('id="main"', 'id="main"><div id="match" data-in-play></div><div');
  const { page, me } = await openElsewhere(t, { html, hello: hello(PAIRED) });
  assert.deepEqual(led(page), []);
  assert.match(page.text("#paired"), /Opponent found: Ben\./);
  assert.equal(page.find("#paired a").getAttribute("href"), "/m/found");
  await page.click("#paired [data-part=close]");
  assert.equal(page.shows("#paired"), false);
  await me.tell({ type: "pairing", ...PAIRED });
  assert.equal(page.shows("#paired"), false);
});

test("who waits alone is offered a computer, which is said once and moves no focus", async (t) => {
  const { page } = await openElsewhere(t, { hello: hello(searching()) });
  page.find("#seeking button:last-of-type").focus();
  await page.time.pass(9000);
  assert.equal(page.shows("#seeking [data-part=computer]"), false);
  await page.time.pass(2000);
  assert.equal(page.text("#seeking [data-part=computer]"), "Play Sprout, level 1");
  assert.match(page.text("#seeking"), /Looking for an opponent/);
  assert.match(page.text("#seeking-news"), /Play the computer/);
  assert.equal(page.document.activeElement, page.find("#seeking button:last-of-type"));
});

test("one press on the offer plays the computer", async (t) => {
  const { page } = await openElsewhere(t, { hello: hello(searching(10)) });
  page.answer("/pairing/computer", PAIRED);
  await page.click("#seeking [data-part=computer]");
  assert.equal(page.fetched.at(-1).url, "/pairing/computer");
  assert.equal(led(page).at(-1), "/m/found");
  assert.equal(page.shows("#seeking"), false);
});

test("a computer that cannot play says why, and how the search stands is asked", async (t) => {
  const { page, me } = await openElsewhere(t, { hello: hello(searching(10)) });
  page.answer("/pairing/computer", { detail: "You are not waiting any more." }, 409);
  await page.click("#seeking [data-part=computer]");
  assert.deepEqual(led(page), []);
  assert.equal(page.text("#seeking-news"), "You are not waiting any more.");
  assert.equal(me.of("pairing").length, 1);
});

test("a person may still come after the offer", async (t) => {
  const { page, me } = await openElsewhere(t, { hello: hello(searching(10)) });
  assert.equal(page.shows("#seeking [data-part=computer]"), true);
  await me.tell({ type: "pairing", ...PAIRED });
  assert.deepEqual(led(page), ["/m/found"]);
});
