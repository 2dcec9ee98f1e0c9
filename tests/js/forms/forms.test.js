/** Forms: sent once, with the token that is good now; rules and presets; what stands in a few words. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage, rendered } from "../dom/page.js";

const openForm = (t, options = {}) =>
  openPage(t, { html: rendered("new-kalah"), path: "/new/kalah", modules: ["pages/table-form.js"], ...options });
const preset = (page) => page.find("#table-form").elements.namedItem("preset").value;
const rule = (page, label) => {
  const found = page.findAll("#single-rules label").find(({ textContent }) => textContent.includes(label));
  return `#${found.htmlFor}`;
};

test("a double press sends a form once", async (t) => {
  const page = await openForm(t);
  const button = "#table-form [type=submit]";
  await page.click(button);
  await page.click(button);
  assert.deepEqual(page.left.map(({ url }) => url), ["/new/kalah"]);
});

test("a page that comes back out of the browser's memory may send its form again", async (t) => {
  const page = await openForm(t);
  await page.click("#table-form [type=submit]");
  page.window.dispatchEvent(new page.window.Event("pageshow"));
  await page.click("#table-form [type=submit]");
  assert.equal(page.left.length, 2);
});

test("a form can be sent again a few seconds after the page was stopped", async (t) => {
  const page = await openForm(t);
  const button = "#table-form [type=submit]";
  await page.click(button);
  await page.time.pass(4_900);
  await page.click(button);
  assert.equal(page.left.length, 1);
  await page.time.pass(200);
  await page.click(button);
  assert.equal(page.left.length, 2);
});

test("the key that stops a page lets its form be sent again at once", async (t) => {
  const page = await openForm(t);
  await page.click("#table-form [type=submit]");
  page.window.dispatchEvent(new page.window.KeyboardEvent("keydown", { key: "Escape" }));
  await page.click("#table-form [type=submit]");
  assert.equal(page.left.length, 2);
});

test("a form is sent with the token that another tab was given meanwhile", async (t) => {
  const page = await openForm(t);
  page.document.cookie = "csrftoken=fresh";
  await page.click("#table-form [type=submit]");
  assert.equal(page.left[0].fields.csrfmiddlewaretoken, "fresh");
});

test("a preset fills the rules in", async (t) => {
  const page = await openForm(t);
  await page.choose("[name=preset][value=kalaha]");
  assert.equal(page.find(rule(page, "Seeds")).value, "6");
});

test("rules that fit no preset are one's own", async (t) => {
  const page = await openForm(t);
  await page.choose(rule(page, "Seeds"), "5");
  assert.equal(preset(page), "own");
});

test("rules that fit a preset are that preset", async (t) => {
  const page = await openForm(t);
  await page.choose(rule(page, "Seeds"), "4");
  await page.choose(rule(page, "The opponent’s store"), "false");
  assert.equal(preset(page), "classic");
});

test("own rules open the list of rules", async (t) => {
  const page = await openForm(t);
  assert.equal(page.find("#single-rules").open, false);
  await page.choose("[name=preset][value=own]");
  assert.equal(page.find("#single-rules").open, true);
});

test("only rated tables ask for ratings, and own rules switch rated off and say why", async (t) => {
  const page = await openForm(t);
  const [rated, casual] = ["[name=rated][value=yes]", "[name=rated][value=no]"];
  assert.equal(page.find("#range").hidden, true);
  await page.choose(rated);
  assert.equal(page.find("#range").hidden, false);
  await page.choose("[name=preset][value=own]");
  assert.equal(page.find(rated).disabled, true);
  assert.equal(page.find(casual).checked, true);
  assert.equal(page.find("#range").hidden, true);
  assert.equal(page.find("#own-rules-casual").hidden, false);
  assert.match(page.text("#own-rules-casual"), /Matches with custom rules are never rated/);
});

test("nobody chooses who begins a rated match", async (t) => {
  const page = await openForm(t);
  const first = (value) => page.find(`[name=first][value=${value}]`);
  await page.choose("[name=first][value=host]");
  await page.choose("[name=rated][value=yes]");
  assert.deepEqual([first("lot").checked, first("host").disabled, first("other").disabled], [true, true, true]);
  await page.choose("[name=rated][value=no]");
  assert.deepEqual([first("host").disabled, first("other").disabled], [false, false]);
});

test("a rated match has its usual rules, unless others were chosen", async (t) => {
  const page = await openForm(t);
  await page.choose("[name=rated][value=yes]");
  assert.equal(preset(page), "pie-rule");
  await page.choose("[name=rated][value=no]");
  assert.equal(preset(page), "classic");
  await page.choose("[name=preset][value=kalaha]");
  await page.choose("[name=rated][value=yes]");
  assert.equal(preset(page), "kalaha");
});

test("the terms are summed up where they are folded away, and follow what is chosen", async (t) => {
  const page = await openForm(t);
  const says = () => page.text("[data-says]").replace(/\s/g, " ");
  assert.equal(says(), "Casual · Open to everyone · No clock · Random first move · Everyone can watch");
  await page.choose("[name=clock]", "5+3");
  await page.choose("[name=listed][value=no]");
  await page.choose("[name=first][value=other]");
  await page.choose("[name=watchers]", "60");
  assert.equal(
    says(),
    "Casual · By invitation · 5 minutes + 3 seconds per move · The other player moves first · Spectators see it 1 minute later",
  );
});

test("the fields of a custom clock are there where one is asked for, and only then sent", async (t) => {
  const page = await openForm(t);
  const fields = page.find("#custom-clock");
  assert.ok(fields.hidden && fields.disabled);
  await page.choose("[name=clock]", "custom");
  assert.ok(!fields.hidden && !fields.disabled);
  await page.choose("[name=clock]", "5+3");
  assert.ok(fields.hidden && fields.disabled);
});
