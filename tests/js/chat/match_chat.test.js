/** The chat of a match: what is said in its rooms, how it is answered, and what is new in it. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { openMatch } from "../dom/match.js";

const FIELD = "#talk-players .chat-form input";
const PROBLEM = "#talk-players [role=alert]";
const HELLO = { type: "hello", seek: null, paired: null, challenges: [], calls: [], next: [], waiting: [] };
let ids = 0;

const line = (text, { name = "Ben", room = "players", preset = null, called = null } = {}) => {
  ids += 1;
  return { id: ids, name, text, at: "2026-01-01T11:59:00Z", room, preset, called };
};
const rooms = (more = {}) => ({ type: "rooms", read: ["players"], speak: ["players"], lines: [], silenced: [], heard: null, ...more });
const lines = (page, room = "players") => page.findAll(`#talk-${room} .chat-line [data-part=text]`).map(({ textContent }) => textContent);

/** A match with its chat, in whose rooms there is so much already. */
async function openChat(t, told = rooms(), options = {}) {
  const { page, server } = await openMatch(t, options);
  const chat = await page.feed("chat");
  await chat.open(told);
  await page.time.pass(50);
  return { page, server, chat };
}

async function say(page, text) {
  await page.type(FIELD, text);
}

test("what is said is sent once, and leaves the field when it is accepted", async (t) => {
  const { page, chat } = await openChat(t);
  await say(page, "Good evening");
  const [{ text, room, id }] = chat.of("say");
  assert.deepEqual([text, room], ["Good evening", "players"]);
  assert.equal(page.find(FIELD).value, "Good evening");
  await chat.tell({ type: "accepted", id }, { type: "line", line: line("Good evening", { name: "Anna" }) });
  assert.equal(page.find(FIELD).value, "");
  assert.deepEqual(lines(page), ["Good evening"]);
});

test("what is refused stays in the field with the reason", async (t) => {
  const { page, chat } = await openChat(t);
  await say(page, "one too many");
  await chat.tell({ type: "refused", id: chat.of("say")[0].id, code: "too-fast", detail: "Wait a few seconds." });
  assert.equal(page.text(PROBLEM), "Wait a few seconds.");
  assert.equal(page.find(FIELD).value, "one too many");
});

test("a preset is said with one press, and read in the language of the reader", async (t) => {
  const translated = ({ document }) => {
    const sentences = document.getElementById("talk-sentences");
    sentences.textContent = sentences.textContent.replace("Good luck", "Bonne chance");
  };
  const { page, chat } = await openChat(t, rooms(), { before: translated });
  await page.click("#talk-players [data-preset=good-luck]");
  assert.equal(chat.of("preset")[0].preset, "good-luck");
  await chat.tell({ type: "line", line: line("Good luck", { preset: "good-luck" }) });
  assert.deepEqual(lines(page), ["Bonne chance"]);
});

test("a guest of an evening is called by the first name there", async (t) => {
  const { page, chat } = await openChat(t);
  await chat.tell({ type: "line", line: line("Hi", { name: "Ann-B-2", called: "Ann B" }) });
  assert.equal(page.text("#talk-players .chat-line [data-part=name]"), "Ann B");
});

test("a preset that is newer than the page is read as it was sent", async (t) => {
  const { page, chat } = await openChat(t);
  await chat.tell({ type: "line", line: line("Well met", { preset: "well-met" }) });
  assert.deepEqual(lines(page), ["Well met"]);
});

test("what looks like markup is text", async (t) => {
  const { page, chat } = await openChat(t);
  await chat.tell({ type: "line", line: line("<img src=x onerror=alert(1)>") });
  assert.deepEqual(lines(page), ["<img src=x onerror=alert(1)>"]);
  assert.equal(page.findAll(".chat-line img").length, 0);
});

test("players have no tabs before the end, and read the watchers after it", async (t) => {
  const { page, chat } = await openChat(t);
  assert.ok(page.find("#talk [role=tablist]").hidden);
  const said = [line("the left pit wins", { name: "Cleo", room: "watchers" })];
  await chat.tell(rooms({ read: ["players", "watchers"], speak: ["players", "watchers"], lines: said }));
  assert.ok(!page.find("#talk [role=tablist]").hidden);
  assert.equal(page.text("#talk-watchers-tab"), "Spectators 1 new");
  await page.click("#talk-watchers-tab");
  page.window.sight(page.find("#talk-watchers [role=log]"), true);
  assert.deepEqual(lines(page, "watchers"), ["the left pit wins"]);
  assert.equal(page.text("#talk-watchers-tab"), "Spectators");
  await page.type("#talk-watchers .chat-form input", "so it did");
  assert.equal(chat.of("say")[0].room, "watchers");
});

test("where the watchers are still behind, players may only read there", async (t) => {
  const { page } = await openChat(t, rooms({ read: ["players", "watchers"] }));
  assert.ok(page.find("#talk-watchers form").hidden);
  assert.ok(!page.find("#talk-watchers [data-part=later]").hidden);
});

test("lines of somebody who is muted go, and come back with the whole list", async (t) => {
  const { page, chat } = await openChat(t, rooms({ lines: [line("before")] }));
  const personal = await page.feed("me");
  await personal.open(HELLO, { type: "silenced", names: ["Ben"] });
  assert.deepEqual(lines(page), []);
  assert.equal(chat.of("chat").length, 1);
  await chat.tell({ type: "line", line: line("you do not hear me") });
  assert.deepEqual(lines(page), []);
  await chat.tell(rooms({ lines: [line("before"), line("you do not hear me")] }));
  assert.deepEqual(lines(page), ["before", "you do not hear me"]);
});

test("somebody is muted from the dialog about their line", async (t) => {
  const { page } = await openChat(t, rooms({ lines: [line("something rude")] }));
  page.answer("/people/Ben/mute", { said: "Muted." });
  await page.click("#talk-players .chat-line button");
  assert.equal(page.text("#chat-person h2"), "Ben");
  assert.equal(page.text("#chat-person [data-part=quote]"), "something rude");
  await page.click("#chat-person [data-act=mute]");
  assert.deepEqual(page.fetched.map(({ url, method }) => [url, method]), [["/people/Ben/mute", "POST"]]);
  await page.until(() => !page.find("#chat-person").open, "the end of the dialog");
});

test("a line is reported with a reason", async (t) => {
  const rude = line("something rude");
  const { page } = await openChat(t, rooms({ lines: [rude] }));
  page.answer("/people/Ben/report", { said: "Thank you. A moderator will look at it." });
  await page.click("#talk-players .chat-line button");
  page.find("#chat-person textarea").value = "Rude at a match.";
  page.find("#chat-person form[data-part=report]").requestSubmit();
  await page.until(() => page.fetched.length > 0, "the report");
  assert.equal(String(page.fetched[0].body), `line=${rude.id}&reason=Rude+at+a+match.`);
  await page.until(() => page.text("#chat-person [data-part=answer]") === "Thank you. A moderator will look at it.", "the thanks");
});

test("the field takes the keys of the board, and a preset gives them back", async (t) => {
  const { page, server } = await openChat(t);
  page.find(FIELD).focus();
  for (const key of "123") {
    await page.press(key);
  }
  assert.equal(page.find(FIELD).value, "123");
  assert.equal(server.asked("move"), undefined);
  page.find("#talk-players [data-preset=hello]").focus();
  await page.press("1");
  assert.equal(server.asked("move").move, "1");
});

test("a line that comes takes the focus from nothing", async (t) => {
  const { page, chat } = await openChat(t);
  page.find("#command-text").focus();
  await chat.tell({ type: "line", line: line("Hello") });
  assert.equal(page.document.activeElement, page.find("#command-text"));
});

test("lines that are there at first are not read out, and later ones are", async (t) => {
  const { page, server } = await openMatch(t);
  assert.ok(server);
  const chat = await page.feed("chat");
  await chat.open(rooms({ lines: [line("before")] }));
  assert.equal(page.find("#talk-players [role=log]").getAttribute("aria-live"), "off");
  await page.time.pass(50);
  assert.equal(page.find("#talk-players [role=log]").getAttribute("aria-live"), "polite");
});

test("arrow keys lead from line to line, of which Tab stops at one", async (t) => {
  const { page } = await openChat(t, rooms({ lines: [line("one"), line("two"), line("three")] }));
  const buttons = page.findAll("#talk-players .chat-line button");
  assert.deepEqual(buttons.map(({ tabIndex }) => tabIndex), [-1, -1, 0]);
  buttons[2].focus();
  await page.press("ArrowUp");
  assert.equal(page.document.activeElement, buttons[1]);
  assert.deepEqual(buttons.map(({ tabIndex }) => tabIndex), [-1, 0, -1]);
});

test("what is new is counted until it has been in sight, also after a reload", async (t) => {
  const told = rooms({ lines: [line("hello phone")] });
  const { page } = await openChat(t, told);
  assert.equal(page.text("#talk-fresh"), "1 new");
  assert.equal(page.find("#talk-toggle").getAttribute("aria-expanded"), "false");
  await page.click("#talk-toggle");
  page.window.sight(page.find("#talk-players [role=log]"), true);
  assert.ok(!page.shows("#talk-fresh"));
  const kept = { ...page.window.sessionStorage };
  const keep = ({ window }) => Object.entries(kept).forEach(([name, value]) => window.sessionStorage.setItem(name, value));
  const again = await openChat(t, told, { before: keep });
  assert.deepEqual(lines(again.page), ["hello phone"]);
  assert.ok(!again.page.shows("#talk-fresh"));
});

test("my own lines are not new", async (t) => {
  const { page } = await openChat(t, rooms({ lines: [line("hello desk", { name: "Anna" })] }));
  assert.ok(!page.shows("#talk-fresh"));
});

test("a panel out of sight has a button that leads to what is new", async (t) => {
  const { page } = await openChat(t, rooms({ lines: [line("down here")] }));
  page.window.sight(page.find(".talk-head"), false);
  assert.equal(page.text("#talk-news"), "1 new chat message");
  await page.click("#talk-news");
  assert.equal(page.document.activeElement, page.find("#talk-players [role=log]"));
  page.window.sight(page.find("#talk-players [role=log]"), true);
  assert.ok(!page.shows("#talk-news"));
  assert.ok(page.find("#talk").hasAttribute("data-open"));
  await page.click("#talk-toggle");
  assert.ok(!page.find("#talk").hasAttribute("data-open"));
});

test("the panel closes by its button, which gives the focus back", async (t) => {
  const { page } = await openChat(t);
  await page.click("#talk-toggle");
  await page.click("#talk-close");
  assert.equal(page.find("#talk-toggle").getAttribute("aria-expanded"), "false");
  assert.equal(page.document.activeElement, page.find("#talk-toggle"));
});

test("a moderator's removal and a new name reach the lines", async (t) => {
  const gone = line("gone");
  const { page, chat } = await openChat(t, rooms({ lines: [gone, line("stays")] }));
  await chat.tell({ type: "line-gone", id: gone.id }, { type: "renamed", old: "Ben", new: "Benno" });
  assert.deepEqual(lines(page), ["stays"]);
  assert.equal(page.text("#talk-players .chat-line [data-part=name]"), "Benno");
});

test("whoever wants no chat at matches has none", async (t) => {
  const { page } = await openMatch(t, { settings: { chat: "nobody" } });
  await page.time.pass(1_000);
  assert.ok(!page.sockets.some(({ feeds }) => feeds.has("chat")));
});
