/** What the banner of a page says about its connection, and for how long. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage } from "../dom/page.js";

async function opened(t) {
  const page = await openPage(t, { html: '<p id="banner" hidden></p>', modules: ["net/banner.js"] });
  return { page, status: page.modules[0].createBanner(page.find("#banner")) };
}

test("the banner says that it connects once that takes long", async (t) => {
  const { page } = await opened(t);
  await page.time.pass(1_400);
  assert.ok(!page.shows("#banner"));
  await page.time.pass(200);
  assert.equal(page.text("#banner"), "Connecting…");
});

test("a lost connection is said until a moment after it is back", async (t) => {
  const { page, status } = await opened(t);
  status("open");
  assert.ok(!page.shows("#banner"));
  status("lost");
  assert.equal(page.text("#banner"), "Connection lost. Reconnecting…");
  assert.equal(page.find("#banner").dataset.tone, "warn");
  status("open");
  assert.equal(page.text("#banner"), "Connected again");
  await page.time.pass(2_500);
  assert.ok(!page.shows("#banner"));
});

test("a slow site says so until it answers, and promises nothing new then", async (t) => {
  const { page, status } = await opened(t);
  status("open");
  status("slow");
  assert.equal(page.text("#banner"), "The site is slow. Nothing you sent is lost.");
  status("open");
  assert.ok(!page.shows("#banner"));
});

test("an evening that is over is no alarm", async (t) => {
  const { page, status } = await opened(t);
  status("evening-over", "The evening is over. Thanks for playing!");
  assert.equal(page.text("#banner"), "The evening is over. Thanks for playing!");
  assert.equal(page.find("#banner").dataset.tone, "good");
});

test("a page that is out of date leads to itself", async (t) => {
  const { page, status } = await opened(t);
  status("outdated");
  assert.equal(page.text("#banner"), "This page is out of date. Reload the page");
  assert.equal(page.find("#banner a").href, page.window.location.href);
});
