/** The wall board: boards in play are shown as they stand now. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage } from "../dom/page.js";

const AGAIN = 8_000;
const IMAGE = (more) => `<img src="/m/one/picture?1" ${more}>`;
const WALL = `<main id="tournament" data-asks="/tournament/cup/version" data-version="1"><div id="live" data-live>${IMAGE('id="open" data-picture="/m/one/picture"')}${IMAGE('id="over"')}</div></main>`;

test("pictures of boards in play are fetched anew, those of others stay", async (t) => {
  const page = await openPage(t, { html: WALL, path: "/tournament/cup/wall", modules: ["pages/wall.js"] });
  page.answer("/tournament/cup/version", { version: 1 });
  await page.time.pass(AGAIN);
  assert.match(page.find("#open").getAttribute("src"), /^\/m\/one\/picture\?(?!1$)/);
  assert.equal(page.find("#over").getAttribute("src"), "/m/one/picture?1");
});
