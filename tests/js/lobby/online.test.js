/** The list of people online is renewed, but not under somebody's finger. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage } from "../dom/page.js";

const html = (names) => `<section id="online">${names.map((name) => `<a href="/@/${name}">${name}</a>`).join("")}</section>`;

async function openOnline(t) {
  const page = await openPage(t, { html: html(["Ada"]), modules: ["lobby/online.js"] });
  const renew = (names) => page.modules[0].renew(async () => names && new page.window.DOMParser().parseFromString(html(names), "text/html"));
  return { page, renew };
}

test("who came and went is shown", async (t) => {
  const { page, renew } = await openOnline(t);
  await renew(["Ben", "Cleo"]);
  assert.equal(page.text("#online"), "BenCleo");
});

test("nothing changes while somebody is about to press, or without an answer", async (t) => {
  const { page, renew } = await openOnline(t);
  await renew(null);
  page.find("#online a").focus();
  await renew(["Ben"]);
  assert.equal(page.text("#online"), "Ada");
});
