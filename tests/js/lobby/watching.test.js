/** What there is to watch on the front page: the grid of boards, and those on the tiles of the games. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { messages, openFront } from "./front.js";

const { start, plies } = JSON.parse(readFileSync(new URL("../../../var/rendered/plies-kalah.json", import.meta.url), "utf8"));
const [others] = messages().lobby.matches;
const match = (id, more = {}) => ({ ...others, id, game: "kalah", title: "Kalah", ...more });
const begun = (number, fields) => ({ type: "match", number, match: fields });
const shown = (id, more = {}) => ({
  type: "shown",
  match: { id, game: "kalah", players: ["Ben", "Cleo"] },
  ply: 0,
  state: start.state,
  outcome: null,
  ...more,
});
const board = (id, { number, state, events }, more = {}) => ({ type: "board", match: id, ply: number, state, events, outcome: null, ...more });
const WON = { winners: [0], reason: "resigned", scores: [] };
const cards = (page) => page.findAll("#boards a").map((link) => link.getAttribute("href"));
const card = (id) => `#boards [href="/m/${id}"]`;
const art = (id) => `${card(id)} [data-part=art]`;
const tile = (game, part) => `#tiles [data-game=${game}] [data-part=${part}]`;

/** The front page with so many matches of others, the newest first. */
function openWith(t, matches, more = {}) {
  return openFront(t, { lobby: { ...messages().lobby, matches, featured: null, live: {}, ...more } });
}

/** Have a place of a board in sight, and the socket of boards open. */
async function look(page, selector) {
  page.window.sight(page.find(selector), true);
  await page.time.pass(100);
  const watch = await page.feed("boards");
  await watch.open();
  await page.time.pass(100);
  return watch;
}

const at = (page, selector, ply) =>
  page.until(() => page.find(selector).dataset.ply === String(ply), `ply ${ply} of ${selector}`);

test("a new match appears, and its board moves once it is in sight", async (t) => {
  const { page, site } = await openWith(t, []);
  assert.equal(page.shows("#no-matches"), true);
  await site.tell(begun(11, match("new")));
  assert.deepEqual(cards(page), ["/m/new"]);
  assert.equal(page.shows("#no-matches"), false);
  const watch = await look(page, art("new"));
  assert.deepEqual(watch.of("show").at(-1).matches, ["new"]);
  await watch.tell(shown("new"));
  await at(page, art("new"), 0);
  const before = page.find(art("new")).innerHTML;
  await watch.tell(board("new", plies[0]));
  await at(page, art("new"), 1);
  assert.notEqual(page.find(art("new")).innerHTML, before);
});

test("boards out of sight are asked for no more", async (t) => {
  const { page } = await openWith(t, [match("one")]);
  const watch = await look(page, art("one"));
  page.window.sight(page.find(art("one")), false);
  await page.time.pass(100);
  assert.deepEqual(watch.of("show").at(-1).matches, []);
});

test("a card is one link that says who plays what, and how many watch", async (t) => {
  const { page, site } = await openWith(t, [match("one")]);
  assert.equal(page.find(card("one")).getAttribute("aria-label"), "Watch Ben – Cleo: Kalah");
  assert.equal(page.shows(`${card("one")} [data-part=watchers]`), false);
  await site.tell({ type: "watching", counts: { one: 1 }, featured: null, live: {} });
  assert.equal(page.text(`${card("one")} [data-part=count]`), "1");
});

test("a match that is shown later says so", async (t) => {
  const { page } = await openWith(t, [match("one", { delay: 60 })]);
  assert.equal(page.text(`${card("one")} [data-part=note]`), "Kalah, 60 s later");
});

test("a match that nobody else may see is not among those to watch", async (t) => {
  const { page } = await openWith(t, [match("kept", { watchable: false }), match("open")]);
  assert.deepEqual(cards(page), ["/m/open"]);
});

test("a match that ends shows its result for a while and goes", async (t) => {
  const { page, site } = await openWith(t, [match("one")]);
  const watch = await look(page, art("one"));
  await watch.tell(shown("one"));
  await at(page, art("one"), 0);
  await watch.tell(board("one", { ...plies[0] }, { outcome: WON }));
  await site.tell({ type: "match-over", number: 11, id: "one" });
  assert.match(page.text(card("one")), /Ben won/);
  await page.time.pass(5_900);
  assert.deepEqual(cards(page), ["/m/one"]);
  await page.time.pass(200);
  assert.deepEqual(cards(page), []);
});

test("one game can be looked at alone", async (t) => {
  const { page } = await openWith(t, [match("kalah"), match("morris", { game: "morris" })]);
  await page.choose("#watch-morris");
  assert.deepEqual(cards(page), ["/m/morris"]);
  await page.choose("#watch-all");
  assert.deepEqual(cards(page), ["/m/kalah", "/m/morris"]);
});

test("the most watched comes first as soon as that is known, but nothing moves below a hand", async (t) => {
  const { page, site } = await openWith(t, [match("newest"), match("watched")]);
  assert.deepEqual(cards(page), ["/m/newest", "/m/watched"]);
  page.find(card("newest")).focus();
  await site.tell({ type: "watching", counts: { watched: 1 }, featured: null, live: {} });
  assert.deepEqual(cards(page), ["/m/newest", "/m/watched"]);
  page.find("#watch-all").focus();
  await site.tell({ type: "watching", counts: { watched: 2 }, featured: null, live: {} });
  assert.deepEqual(cards(page), ["/m/watched", "/m/newest"]);
});

test("twelve boards are shown, and more when they are asked for", async (t) => {
  const { page } = await openWith(t, Array.from({ length: 14 }, (_, nth) => match(`m${nth}`)));
  assert.equal(cards(page).length, 12);
  await page.click("#more-boards button");
  assert.equal(cards(page).length, 14);
  assert.equal(page.document.activeElement, page.findAll("#boards a")[12]);
  assert.equal(page.shows("#more-boards"), false);
});

test("each tile shows a live match of its own game", async (t) => {
  const { page } = await openWith(t, [match("newer"), match("featured")], { live: { kalah: "featured" } });
  assert.equal(page.shows(tile("kalah", "live")), true);
  assert.equal(page.shows(tile("morris", "live")), false);
  const watch = await look(page, tile("kalah", "art"));
  assert.deepEqual(watch.of("show").at(-1).matches, ["featured"]);
  await watch.tell(shown("featured"));
  await at(page, tile("kalah", "art"), 0);
});

test("a tile keeps the result of its match for a while", async (t) => {
  const { page, site } = await openWith(t, [match("one")], { live: { kalah: "one" } });
  await site.tell({ type: "match-over", number: 11, id: "one" });
  assert.equal(page.shows(tile("kalah", "live")), true);
  await page.time.pass(6_100);
  assert.equal(page.shows(tile("kalah", "live")), false);
});

test("a match that everybody has left can be watched, and is not called live", async (t) => {
  const { page, site } = await openWith(t, [match("left")], { live: { kalah: "left" } });
  assert.equal(page.shows(tile("kalah", "live")), true);
  await site.tell({ type: "watching", counts: {}, featured: null, live: {} });
  assert.equal(page.shows(tile("kalah", "live")), false);
  assert.deepEqual(cards(page), ["/m/left"]);
});

/** The demonstration of Kalah, of one ply. */
const demonstration = {
  start: start.state,
  plies: plies.slice(0, 1).map(({ number, events, state }) => ({ ply: number, events, state })),
};

for (const [does, media, ply] of [
  ["plays", [], 1],
  ["stands still where no motion is wanted", ["(prefers-reduced-motion: reduce)"], 0],
]) {
  test(`while nobody plays its game, a board on a tile ${does}`, async (t) => {
    const { page } = await openFront(t, {
      media,
      lobby: { ...messages().lobby, matches: [], featured: null, live: {} },
      before: (page) => page.answer("/rules/kalah.json", demonstration),
    });
    await at(page, tile("kalah", "art"), 0);
    page.window.sight(page.find(tile("kalah", "art")), true);
    await page.time.pass(10_000);
    assert.equal(page.find(tile("kalah", "art")).dataset.ply, String(ply));
  });
}
