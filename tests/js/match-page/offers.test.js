/** Offers on the match page: who is asked what, by which buttons, keys and words it is answered, and what is sent. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { openMatch } from "../dom/match.js";

const SENTENCE = "#actions [data-words]";
const OPENED = 400;
const choice = (name) => `[data-choice='${name}']:not([hidden])`;
const isOffered = (page, name) => page.shows(choice(name));

test("an offer of mine is said, and can be withdrawn", async (t) => {
  const { page, server } = await openMatch(t, { ply: 2 });
  await page.click(choice("draw"));
  assert.equal(server.asked("offer").kind, "draw");
  assert.equal(server.asked("offer").after, 2);
  await server.accept("offer");
  await server.offer({ kind: "draw", by: 0 });
  assert.equal(page.text(SENTENCE), "You offered a draw.");
  await page.click(choice("withdraw"));
  assert.equal(server.asked("decline").kind, "draw");
  await server.accept("decline");
  await server.offer();
  assert.ok(!page.shows(SENTENCE));
  assert.doesNotMatch(page.text("#notice"), /declined/);
});

test("an offer of another is asked aloud, and accepted by a button", async (t) => {
  const { page, server } = await openMatch(t, { ply: 2, you: 1 });
  await server.offer({ kind: "draw", by: 0 });
  await page.time.pass(OPENED);
  assert.equal(page.text(SENTENCE), "Anna offers a draw.");
  assert.match(page.text("#say-soon"), /Anna offers a draw/);
  await page.click(choice("accept"));
  assert.equal(server.asked("offer").kind, "draw");
});

test("watchers are not asked", async (t) => {
  const { page, server } = await openMatch(t, { ply: 2, you: null });
  await server.offer({ kind: "draw", by: 0 });
  assert.ok(!page.shows(SENTENCE));
  assert.ok(!isOffered(page, "accept"));
});

test("an offer is declined by a key, and its author told", async (t) => {
  const { page, server } = await openMatch(t, { ply: 2, you: 1 });
  await server.offer({ kind: "draw", by: 0 });
  await page.press("n");
  assert.equal(server.asked("decline"), undefined, "Nobody can have read it yet.");
  await page.time.pass(OPENED);
  await page.press("n");
  assert.equal(server.asked("decline").kind, "draw");
});

test("the author of a declined offer is told", async (t) => {
  const { page, server } = await openMatch(t, { ply: 2 });
  await server.offer({ kind: "draw", by: 0 });
  await server.offer();
  assert.equal(page.text("#notice"), "Your offer was declined.");
});

test("an offer of mine that nobody answers in time is said to have lapsed", async (t) => {
  const { page, server } = await openMatch(t, { ply: 2 });
  await server.offer({ kind: "draw", by: 0, until: server.now + 3_000 });
  await page.time.pass(3_100);
  assert.equal(page.text("#notice"), "Your offer expired.");
});

test("the next move ends an offer on both pages", async (t) => {
  for (const you of [0, 1]) {
    const { page, server } = await openMatch(t, { ply: 0, you });
    await server.offer({ kind: "draw", by: 1 });
    assert.ok(isOffered(page, you === 0 ? "accept" : "withdraw"));
    await server.play();
    assert.ok(!isOffered(page, "accept"));
    assert.ok(!isOffered(page, "withdraw"));
  }
});

test("the focus of a button that goes away does not land on another", async (t) => {
  const { page, server } = await openMatch(t, { ply: 0, you: 1 });
  page.find("#resign").focus();
  await server.offer({ kind: "draw", by: 0 });
  assert.equal(page.document.activeElement, page.find(SENTENCE));
  await page.press("Enter");
  assert.equal(server.asked("offer"), undefined);
  assert.ok(isOffered(page, "accept"));
});

test("a take-back is offered, agreed on, and shown in the list of moves", async (t) => {
  const { page, server } = await openMatch(t, { ply: 1 });
  server.may = { offer: ["draw", "take-back"] };
  await server.offer();
  await page.click(choice("take-back"));
  assert.equal(server.asked("offer").kind, "take-back");
  await server.act("back:0:0", { seat: 0, state: server.start.state });
  assert.equal(page.text("#headline"), "Your turn");
  assert.match(page.text("#moves"), /took a move back/);
  assert.equal(page.findAll("#moves s").length, 1);
  await page.click("#previous");
  await server.shown(1);
});

test("a match that has not begun is aborted", async (t) => {
  const { page, server } = await openMatch(t);
  server.may = { commands: ["move", "resign", "abort"], offer: [] };
  await server.offer();
  await page.click(choice("abort"));
  assert.equal(server.asked("abort").after, 0);
  await server.act("aborted:0", { seat: 0, outcome: { winners: [], reason: "aborted", scores: [] } });
  assert.equal(page.text("#headline"), "No result");
  assert.equal(page.text("#reason"), "You aborted the match.");
});

test("to resign takes two presses", async (t) => {
  const { page, server } = await openMatch(t, { ply: 2 });
  await page.click("#resign");
  assert.equal(page.text("#resign"), "Resign?");
  assert.equal(server.asked("resign"), undefined);
  await page.click("#resign");
  assert.equal(server.asked("resign").after, 2);
});

test("the one who stays is told that the other resigned", async (t) => {
  const { page, server } = await openMatch(t, { ply: 2, you: 0 });
  await server.leave(1);
  assert.equal(page.text("#headline"), "You won");
  assert.equal(page.text("#reason"), "Ben resigned.");
});

test("a paused match says so, stops the clocks, and refuses moves until either goes on", async (t) => {
  const { page, server } = await openMatch(t, { ply: 2 });
  await server.act("paused:0", { seat: 0, halted: "paused" });
  assert.equal(page.text("#headline"), "Paused");
  assert.equal(page.findAll(".player-clock[data-running]").length, 0);
  await page.click("#board [data-cell='1']");
  assert.equal(page.text("#notice"), "The match is paused.");
  assert.equal(server.asked("move"), undefined);
  await page.click(choice("resume"));
  assert.equal(server.asked("offer").kind, "resume");
  await server.act("resumed:0", { seat: 0, halted: null });
  assert.equal(page.text("#headline"), "Your turn");
});

test("a saved match says so, and the others are invited to go on", async (t) => {
  const { page, server } = await openMatch(t, { ply: 1 });
  await server.act("saved:1", { seat: 1, halted: "saved" });
  assert.equal(page.text("#headline"), "Saved for later");
  assert.ok(!isOffered(page, "resume"));
  await page.click(choice("invite"));
  assert.equal(server.asked("offer").kind, "resume");
});

test("an invitation to go on names who invites", async (t) => {
  const { page, server } = await openMatch(t, { ply: 1 });
  await server.act("saved:1", { seat: 1, halted: "saved" });
  await server.offer({ kind: "resume", by: 1 });
  assert.equal(page.text(SENTENCE), "Ben invites you to resume the match.");
});

test("a match is saved by the one who is on turn alone", async (t) => {
  const { page, server } = await openMatch(t, { ply: 0 });
  assert.ok(!page.findAll("[data-choice=save]").some((button) => !button.hidden));
  server.may = { offer: ["draw", "save"] };
  await server.offer();
  assert.ok(page.findAll("[data-choice=save]").some((button) => !button.hidden));
});

// Typed

async function typed(page, words) {
  await page.type("#command-text", words);
  await page.until(() => page.find("#command-text").value === "", "the answer to what was typed");
}

test("offers are made, accepted and declined by typed words", async (t) => {
  const { page, server } = await openMatch(t, { ply: 2 });
  server.may = { offer: ["draw", "pause", "take-back"] };
  await server.offer();
  await typed(page, "accept");
  assert.equal(page.text("#answer"), "There is no offer to answer.");
  for (const [words, kind] of [["takeback", "take-back"], ["pause", "pause"], ["draw", "draw"]]) {
    await typed(page, words);
    assert.equal(server.asked("offer").kind, kind);
    await server.accept("offer");
  }
  await server.offer({ kind: "pause", by: 1 });
  await typed(page, "decline");
  assert.equal(server.asked("decline").kind, "pause");
  await server.accept("decline");
  await server.offer({ kind: "draw", by: 1 });
  await typed(page, "accept");
  assert.equal(server.asked("offer").kind, "draw");
});

test("what was typed and refused by the server is said", async (t) => {
  const { page, server } = await openMatch(t, { ply: 2, you: 1 });
  server.may = { offer: ["save"] };
  await server.offer();
  await typed(page, "save");
  await server.refuse("offer", "not-your-turn", "It is not your turn.");
  assert.equal(page.text("#notice"), "It is not your turn.");
});

test("after the end nothing more is typed", async (t) => {
  const { page, server } = await openMatch(t, { ply: 2 });
  await server.leave(1);
  await typed(page, "abort");
  assert.equal(page.text("#answer"), "The match is over.");
  assert.equal(server.asked("abort"), undefined);
});

test("to resign by word takes the word twice", async (t) => {
  const { page, server } = await openMatch(t, { ply: 2 });
  await typed(page, "resign");
  assert.equal(page.text("#answer"), "Type resign again to resign.");
  assert.equal(server.asked("resign"), undefined);
  await typed(page, "resign");
  assert.ok(server.asked("resign"));
});

// Absence

const away = (server, wait) => ({ present: [0], away: [{ seat: 1, since: server.now - 20_000, due: server.now + wait }] });

test("the way to a claim is counted down, and told once", async (t) => {
  const { page, server } = await openMatch(t, { ply: 1 });
  let told = 0;
  new page.window.MutationObserver(() => (told += 1)).observe(page.find("#say-soon"), { childList: true, characterData: true });
  server.may = { claim: ["win"] };
  await server.offer();
  await server.crowd(away(server, 33_000));
  assert.equal(page.text(SENTENCE), "Ben has left. You can claim the win in 0:33.");
  await page.time.pass(5_000);
  assert.equal(page.text(SENTENCE), "Ben has left. You can claim the win in 0:28.");
  assert.equal(told, 1);
  assert.ok(!isOffered(page, "claim-win"));
  await page.time.pass(28_000 + OPENED);
  await page.click(choice("claim-win"));
  assert.equal(server.asked("claim").kind, "win");
});

test("watchers are not counted down to a claim", async (t) => {
  const { page, server } = await openMatch(t, { ply: 1, you: null });
  await server.crowd(away(server, 33_000));
  assert.ok(!page.shows(SENTENCE));
});

test("whoever waits with a claim sees it no more, and may still type it", async (t) => {
  const { page, server } = await openMatch(t, { ply: 1 });
  server.may = { claim: ["win", "draw"] };
  await server.offer();
  await server.crowd(away(server, -1_000));
  assert.match(page.text("#say-soon"), /claim the win/);
  assert.ok(isOffered(page, "claim-draw"));
  await page.click(choice("wait"));
  assert.ok(!isOffered(page, "claim-win"));
  await typed(page, "claim");
  assert.equal(server.asked("claim").kind, "win");
});

test("a claim goes when the absent one is back", async (t) => {
  const { page, server } = await openMatch(t, { ply: 1 });
  server.may = { claim: ["win", "draw"] };
  await server.offer();
  await server.crowd(away(server, -1_000));
  assert.ok(isOffered(page, "claim-draw"));
  assert.match(page.text(".player[data-seat='1'] .player-note"), /away/);
  await server.crowd();
  assert.ok(!isOffered(page, "claim-draw"));
  assert.doesNotMatch(page.text(".player[data-seat='1'] .player-note"), /away/);
});

test("the end by a claim says who left", async (t) => {
  const { page, server } = await openMatch(t, { ply: 1 });
  await server.leave(1, "abandoned");
  assert.equal(page.text("#headline"), "You won");
  assert.equal(page.text("#reason"), "Ben left the match.");
});

test("a bot that plays for me is said, and ends by my button", async (t) => {
  const { page, server } = await openMatch(t, { ply: 2 });
  await server.act("caretaker:0", { seat: 1, caretaken: [0] });
  assert.equal(page.text(SENTENCE), "A bot is playing for you.");
  assert.match(page.text("#moves"), /A bot is playing for/);
  assert.deepEqual([page.text("#headline"), page.text("#reason")], ["A bot is playing for you", ""]);
  assert.ok(page.find(".player[data-seat='0']").hasAttribute("data-bot"));
  await page.click(choice("reclaim"));
  assert.ok(server.asked("reclaim"));
  await server.act("reclaimed:0", { seat: 0, caretaken: [] });
  assert.match(page.text("#moves"), /You are playing again/);
  assert.ok(!page.find(".player[data-seat='0']").hasAttribute("data-bot"));
});

test("a vote to end the match is said to its author, and accepted by others", async (t) => {
  const seats = ["Anna", "Ben", "Cleo"].map((name, seat) => ({ seat, name, level: null }));
  const { page, server } = await openMatch(t, { ply: 1, match: { seats }, snapshot: { present: [0, 1, 2] } });
  await server.offer({ kind: "end", by: 0 });
  assert.equal(page.text(SENTENCE), "You proposed to end the match now.");
  await server.offer({ kind: "end", by: 1 });
  await page.time.pass(OPENED);
  await page.click(choice("accept"));
  assert.equal(server.asked("offer").kind, "end");
});
