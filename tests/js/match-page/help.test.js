/** Help on the match page: hints that are asked for, and the advice that newcomers are given. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { openMatch } from "../dom/match.js";

const ANSWER = "#hint [role=status]";
const hint = (ply = 0) => ({ type: "hint", ply, move: "1", share: 1, score: 4, proved: true });

async function asked(page, command) {
  page.find("#answer").textContent = "";
  await page.type("#command-text", command);
  return page.until(() => page.text("#answer"), "an answer");
}

test("a hint is asked for by its button, said, and marked until a move is played", async (t) => {
  const { page, server } = await openMatch(t);
  await page.click("#hint button");
  assert.equal(page.text(ANSWER), "Thinking…");
  await server.tell(hint());
  assert.equal(page.text(ANSWER), "Hint: 1, wins by 4");
  assert.deepEqual(page.findAll("#board [data-hint]").map(({ dataset }) => dataset.cell), ["0"]);
  await server.play();
  assert.equal(page.findAll("#board [data-hint]").length, 0);
});

test("a hint is asked for by its key", async (t) => {
  const { page, server } = await openMatch(t);
  await page.press("h");
  assert.equal(server.asked("hint").after, 0);
  assert.equal(page.text(ANSWER), "Thinking…");
});

test("a hint is asked for by its word, which then says it again", async (t) => {
  const { page, server } = await openMatch(t);
  assert.equal(await asked(page, "hint"), "Thinking…");
  await server.tell(hint());
  assert.match(await asked(page, "hint"), /^Hint: 1/);
  assert.equal(server.socket.of("hint").length, 1);
});

test("where nobody thinks, the refusal is said", async (t) => {
  const { page, server } = await openMatch(t);
  await page.press("h");
  await server.refuse("hint", "no-hint", "The computer is busy.");
  assert.match(page.text("#notice"), /The computer is busy/);
  assert.equal(page.text(ANSWER), "");
});

test("watchers have no hints", async (t) => {
  const { page } = await openMatch(t, { you: null });
  assert.equal(page.findAll("#hint").length, 0);
});

const COMPUTER = { page: "match-computer", match: { seats: [{ seat: 0, name: "Anna", level: null }, { seat: 1, name: "Sprout", level: 1 }] } };

test("newcomers are advised in words, and a pit glows", async (t) => {
  const { page } = await openMatch(t, COMPUTER);
  assert.match(page.text("#coach [data-part=words]"), /^Start here/);
  assert.deepEqual(page.findAll("#board [data-hint]").map(({ dataset }) => dataset.cell), ["3"]);
});

test("whoever sends the coach away sees it no more", async (t) => {
  const { page } = await openMatch(t, COMPUTER);
  await page.click("#coach [data-part=close]");
  assert.equal(page.findAll("#coach").length, 0);
  assert.equal(page.findAll("#board [data-hint]").length, 0);
  const again = await openMatch(t, { ...COMPUTER, before: ({ window }) => window.localStorage.setItem("parlour:no-coach", "yes") });
  assert.equal(again.page.text("#headline"), "Your turn");
  assert.equal(again.page.findAll("#coach").length, 0);
  assert.equal(again.page.findAll("#board [data-hint]").length, 0);
});

test("while a computer thinks, only to resign is offered", async (t) => {
  const { page, server } = await openMatch(t, COMPUTER);
  assert.equal(page.document.title, "Your turn · Kalah · Parlour");
  server.may = { offer: ["draw"], commands: ["resign"] };
  await server.play();
  assert.equal(page.text("#headline"), "Sprout is thinking");
  assert.match(page.text(".player[data-thinking]"), /thinking · level 1/);
  assert.ok(!page.shows(".player[data-thinking] .presence"));
  const open = page.findAll("[data-choice]").filter((button) => !button.hidden).map(({ dataset }) => dataset.choice);
  assert.deepEqual(new Set(open), new Set(["resign", "flip"]));
  assert.match(page.text("#say-soon"), /is thinking\.$/);
});

test("beside a match with a computer alone no draw is offered and the chat is quiet", async (t) => {
  const { page } = await openMatch(t, COMPUTER);
  assert.ok(!page.shows("#actions [data-choice=draw]"));
  assert.ok(page.find("#talk").hasAttribute("data-quiet"));
});

test("a computer player has a name in the language of the page", async (t) => {
  const { page } = await openMatch(t, { ...COMPUTER, computers: { 1: "Idu" } });
  assert.deepEqual(page.findAll(".player-name").map(({ textContent }) => textContent), ["Idu", "Anna"]);
});

test("after a match against a computer another level is one press away", async (t) => {
  const { page, server } = await openMatch(t, { ...COMPUTER, ply: 1 });
  await server.leave(0);
  const link = page.findAll("#end a").find(({ textContent }) => textContent.trim() === "Another level");
  assert.match(link.getAttribute("href"), /^\/computer\/kalah/);
});

test("where the coach advises a move, that is the hint", async (t) => {
  const { page, server } = await openMatch(t, COMPUTER);
  assert.ok(page.find("#hint").hasAttribute("data-resting"));
  await page.press("h");
  assert.equal(server.socket.of("hint").length, 0);
  await page.click("#coach [data-part=close]");
  assert.ok(!page.find("#hint").hasAttribute("data-resting"));
  await page.press("h");
  assert.equal(server.socket.of("hint").length, 1);
});

test("one place is marked while a move is advised, and the others as soon as the advice is gone", async (t) => {
  const { page } = await openMatch(t, COMPUTER);
  const marked = () => page.findAll('#board rect[stroke="var(--mark)"]').length;
  assert.equal(page.findAll("#board [data-playable]").length, 6);
  assert.equal(marked(), 1);
  await page.click("#coach [data-part=close]");
  assert.equal(marked(), 6);
});
