import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage } from "../dom/page.js";

const UNSETTLED = '<div id="profile" data-unsettled>1500</div>';
const SETTLED = '<div id="profile">1512</div>';

/** Bind a page, of which the server then makes these, one after the other; how often it was asked. */
async function bind(t, shown, ...answers) {
  const page = await openPage(t, { html: shown, modules: ["parts/results.js"] });
  let asked = 0;
  const ask = async () => {
    const answer = answers[Math.min(asked++, answers.length - 1)];
    if (!answer) {
      throw new TypeError("no network");
    }
    return new Response(answer);
  };
  await page.modules[0].bindUnsettled({ ask }, async () => undefined);
  return asked;
}

test("an unsettled part is replaced once it is settled", async (t) => {
  assert.equal(await bind(t, UNSETTLED, null, UNSETTLED, SETTLED), 3);
  assert.equal(globalThis.document.getElementById("profile").outerHTML, SETTLED);
});

test("a settled page is not asked for again", async (t) => {
  assert.equal(await bind(t, SETTLED, SETTLED), 0);
});

test("what stays unsettled is not asked for without end", async (t) => {
  assert.equal(await bind(t, UNSETTLED, UNSETTLED), 8);
});

test("live parts are updated around what has the focus", async (t) => {
  const html = (names) => `<section id="online" data-live>${names.map((name) => `<a href="/@/${name}">${name}</a>`).join("")}</section>`;
  const page = await openPage(t, { html: html(["Ada"]), path: "/online", modules: ["parts/refresh.js"] });
  const { refreshLive } = page.modules[0];
  page.answer("/online", "", 503);
  assert.equal(await refreshLive(), null);
  assert.equal(page.text("#online"), "Ada");
  page.find("#online a").focus();
  page.answer("/online", html(["Ben", "Ada"]));
  await refreshLive();
  assert.equal(page.text("#online"), "BenAda");
  assert.equal(page.document.activeElement.textContent, "Ada");
});
