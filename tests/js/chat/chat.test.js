/** The chat of the lobby on the front page. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { messages, openFront } from "../lobby/front.js";
import { openPage, rendered } from "../dom/page.js";

const WIDE = "(width >= 60rem)";
const line = (id, text, name = "Ben") => ({ id, name, text, at: "2026-01-01T12:00:00+00:00" });
const said = (id, text, name) => ({ type: "line", line: line(id, text, name) });
const shown = (page) => page.findAll(".chat-line [data-part=text]").map((text) => text.textContent);
const isOpen = (page) => page.find("#chat").hasAttribute("data-open");
const BUTTONS = ".chat-line button:not([hidden])";

/** The front page with the chat open. */
async function openChat(t, options) {
  const front = await openFront(t, { settings: { "chat-open": true }, ...options });
  assert.ok(isOpen(front.page));
  return front;
}

test("lines are shown oldest first with who said them; nobody is asked about themselves", async (t) => {
  const { page, site } = await openChat(t);
  await site.tell(said(9, "Yes", "Anna"), said(8, "Later"));
  assert.deepEqual(shown(page), ["Anybody for a game?", "Later", "Yes"]);
  assert.deepEqual(page.findAll(".chat-line [data-part=name]").map(({ textContent }) => textContent), ["Ben", "Ben", "Anna"]);
  assert.deepEqual(page.findAll(BUTTONS).map((button) => button.getAttribute("aria-label")), ["About Ben", "About Ben"]);
});

test("what looks like markup or a link is text", async (t) => {
  const { page, site } = await openChat(t);
  const text = "<img src=x onerror=alert(1)> http://example.org/";
  await site.tell(said(8, text));
  assert.equal(shown(page).at(-1), text);
  assert.equal(page.findAll(".chat-line :is(img, a)").length, 0);
});

test("what is accepted leaves the field", async (t) => {
  const { page, site } = await openChat(t);
  await page.type("#chat-text", "hello");
  const [command] = site.of("say");
  assert.equal(command.text, "hello");
  assert.equal(page.find("#chat-text").value, "hello");
  await site.tell({ type: "accepted", id: command.id });
  assert.equal(page.find("#chat-text").value, "");
});

test("what is refused stays in the field with the reason, until one types on", async (t) => {
  const { page, site } = await openChat(t);
  await page.type("#chat-text", "one too many");
  const [command] = site.of("say");
  await site.tell({ type: "refused", id: command.id, code: "too-fast", detail: "Wait a few seconds." });
  assert.equal(page.find("#chat-text").value, "one too many");
  assert.equal(page.text("#chat-problem"), "Wait a few seconds.");
  await page.press("!");
  assert.equal(page.text("#chat-problem"), "");
});

test("what was said while the server was away is said again, with the same id, until it is answered", async (t) => {
  const { page, site } = await openChat(t);
  await site.lose();
  await page.type("#chat-text", "while it was away");
  assert.deepEqual(site.of("say"), []);
  await page.time.pass(5000);
  const again = await page.feed("lobby");
  await again.open(messages().lobby, messages().chat);
  const [command] = again.of("say");
  assert.equal(command.text, "while it was away");
  await again.tell(said(8, "while it was away", "Anna"), { type: "accepted", id: command.id });
  assert.deepEqual(shown(page), ["Anybody for a game?", "while it was away"]);
  assert.equal(page.find("#chat-text").value, "");
});

test("the chat opens by itself where there is room as soon as somebody has spoken", async (t) => {
  const html = rendered("lobby");
  const page = await openPage(t, { html, modules: ["pages/front.js"], media: [WIDE] });
  const site = await page.feed("lobby");
  await site.open(messages().lobby, { ...messages().chat, lines: [] });
  assert.equal(isOpen(page), false);
  assert.equal(page.shows("#no-lines"), true);
  await site.tell(said(8, "said by me elsewhere", "Anna"));
  assert.equal(isOpen(page), true);
  assert.equal(page.shows("#chat-fresh"), false);
  assert.equal(page.shows("#no-lines"), false);
});

test("on a phone the chat opens by a button that counts what was said meanwhile", async (t) => {
  const { page, site } = await openFront(t);
  assert.equal(isOpen(page), false);
  assert.equal(page.shows("#chat-fresh"), false);
  await site.tell(said(8, "hello phone"), said(9, "mine", "Anna"));
  assert.equal(page.text("#chat-toggle"), "1 newOpen");
  assert.equal(page.find("#chat-toggle").getAttribute("aria-expanded"), "false");
  await page.click("#chat-toggle");
  assert.equal(isOpen(page), true);
  assert.equal(page.shows("#chat-fresh"), false);
  assert.equal(page.text("#chat-toggle"), "Close");
  await page.click("#chat-toggle");
  assert.equal(isOpen(page), false);
  assert.equal(page.window.localStorage.getItem("parlour:chat-open"), "false");
});

test("the chat stays closed where one has closed it", async (t) => {
  const { page } = await openFront(t, { settings: { "chat-open": false }, media: [WIDE] });
  assert.equal(isOpen(page), false);
});

for (const act of ["mute", "block"]) {
  test(`the dialog about a person is where one can ${act} them`, async (t) => {
    const { page } = await openChat(t);
    page.answer(`/people/Ben/${act}`, { said: "Done." });
    await page.click(BUTTONS);
    assert.equal(page.text("#chat-person h2"), "Ben");
    assert.equal(page.text("#chat-person [data-part=quote]"), "Anybody for a game?");
    await page.click(`#chat-person [data-act=${act}]`);
    assert.equal(page.fetched.at(-1).url, `/people/Ben/${act}`);
    assert.equal(page.find("#chat-person").open, false);
  });
}

test("lines of somebody silenced go, and come back with those that were never sent", async (t) => {
  const { page, site, me } = await openChat(t);
  await me.tell({ type: "silenced", names: ["Ben"] });
  assert.deepEqual(shown(page), []);
  await site.tell(said(8, "unheard"));
  assert.deepEqual(shown(page), []);
  const asked = site.of("chat").length;
  await me.tell({ type: "silenced", names: [] });
  assert.equal(site.of("chat").length, asked + 1);
  await site.tell({ ...messages().chat, lines: [...messages().chat.lines, line(8, "unheard")] });
  assert.deepEqual(shown(page), ["Anybody for a game?", "unheard"]);
});

test("who is muted reads why in place of the form, until the mute ends", async (t) => {
  const { page, me } = await openChat(t);
  const shown = () => [page.find(".chat-muted").hidden, page.find("[data-mute=writing]").hidden];
  assert.deepEqual(shown(), [true, false]);
  const muted = { words: "Until noon. Reason: insults", left: 5000 };
  await me.tell({ type: "muted", muted });
  assert.deepEqual(shown(), [false, true]);
  assert.equal(page.text(".chat-muted [data-part=words]"), muted.words);
  await me.tell({ type: "muted", muted: null });
  assert.deepEqual(shown(), [true, false]);
  await me.tell({ type: "muted", muted });
  await page.time.pass(muted.left);
  assert.deepEqual(shown(), [true, false]);
});

test("a line is reported in the dialog, and what came of it is said there", async (t) => {
  const { page } = await openChat(t);
  page.answer("/people/Ben/report", { said: "Thank you. A moderator will look at it." });
  await page.click(BUTTONS);
  await page.type("#chat-person textarea", "It is rude.", { enter: false });
  await page.click("#chat-person [data-part=report] [type=submit]");
  assert.deepEqual(Object.fromEntries(page.fetched.at(-1).body), { line: "7", reason: "It is rude." });
  assert.equal(page.text("#chat-person [data-part=answer]"), "Thank you. A moderator will look at it.");
  assert.equal(page.shows("#chat-person [data-part=report]"), false);
});

test("a line that a moderator hides goes, and a renamed speaker has the new name", async (t) => {
  const { page, site } = await openChat(t);
  await site.tell({ type: "renamed", old: "Ben", new: "Benno" });
  assert.equal(page.text(".chat-line [data-part=name]"), "Benno");
  await site.tell({ type: "line-gone", id: 7 });
  assert.deepEqual(shown(page), []);
});

test("who is banned is told that they were logged out", async (t) => {
  const { page, site } = await openChat(t);
  await site.tell({ type: "error", code: "signed-out", detail: "You were logged out." });
  await site.lose(4401);
  assert.match(page.text("#connection"), /You were logged out\./);
});

test("of the lines one is a stop of the Tab key, and arrows lead from one to the next", async (t) => {
  const { page, site } = await openChat(t);
  await site.tell(said(8, "second"));
  const stops = () => page.findAll(BUTTONS).map(({ tabIndex }) => tabIndex);
  assert.deepEqual(stops(), [-1, 0]);
  page.findAll(BUTTONS)[1].focus();
  await page.press("ArrowUp");
  assert.equal(page.document.activeElement, page.findAll(BUTTONS)[0]);
  assert.deepEqual(stops(), [0, -1]);
  await page.press("Enter");
  assert.equal(page.find("#chat-person").open, true);
});

test("lines are read out to whoever is in the chat alone", async (t) => {
  const { page } = await openChat(t);
  const log = page.find("#chat-lines");
  assert.equal(log.getAttribute("aria-live"), "off");
  log.focus();
  assert.equal(log.getAttribute("aria-live"), "polite");
  page.find("#tiles a").focus();
  assert.equal(log.getAttribute("aria-live"), "off");
});
