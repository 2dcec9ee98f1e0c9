/** The wall board: boards in play are shown as they stand now, and all of them in turn. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { nextBoards } from "../../../static/lobby/wall-boards.js";
import { openPage } from "../dom/page.js";

const AGAIN = 8_000;
const ROOM = 2;
const PATH = "/tournament/cup/wall";

const figure = (id, place, open = true) =>
  `<figure data-id="${id}"${place < ROOM ? "" : " data-resting"}><img src="/m/${id}.svg?1"${open ? ` data-picture="/m/${id}.svg"` : ""}></figure>`;
const wall = (...ids) =>
  `<main id="tournament" data-asks="/tournament/cup/version" data-version="1"><div id="live" data-live><section class="wall-boards" data-room="${ROOM}">${ids.map((id, place) => figure(id, place, id !== "over")).join("")}</section></div></main>`;

async function opened(t, ...ids) {
  const page = await openPage(t, { html: wall(...ids), path: PATH, modules: ["pages/wall.js"] });
  page.answer("/tournament/cup/version", { version: 1 });
  const picture = (id) => page.find(`[data-id=${id}] img`).getAttribute("src");
  const shown = () => page.findAll("figure:not([data-resting])").map((each) => each.dataset.id);
  return { page, picture, shown };
}

test("pictures of boards in play are fetched anew, those of others stay", async (t) => {
  const { page, picture } = await opened(t, "one", "over", "resting");
  await page.time.pass(AGAIN);
  assert.match(picture("one"), /^\/m\/one\.svg\?(?!1$)/);
  for (const id of ["over", "resting"]) {
    assert.equal(picture(id), `/m/${id}.svg?1`);
  }
});

test("boards for which there was no room are shown next, with their picture of now", async (t) => {
  const { page, picture, shown } = await opened(t, "a", "b", "c");
  assert.deepEqual(shown(), ["a", "b"]);
  // Meanwhile b is the one that waits.
  page.answer(PATH, wall("b", "a", "c"));
  await page.time.pass(2 * AGAIN);
  assert.deepEqual(shown(), ["b", "c"]);
  assert.match(picture("c"), /^\/m\/c\.svg\?(?!1$)/);
  await page.time.pass(2 * AGAIN);
  assert.deepEqual(shown(), ["b", "a"]);
});

test("no board is shown again before all were shown, and those that wait come first", () => {
  const all = ["d", "a", "b", "c", "e"];
  assert.deepEqual(nextBoards(all, new Set(["a", "b"]), 2), ["d", "c"]);
  assert.deepEqual(nextBoards(all, new Set(["a", "b", "c", "d"]), 2), ["e", "d"]);
});
