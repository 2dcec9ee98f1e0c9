/** Challenges and calls back to a match, as toasts on every page. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";

import { rendered } from "../dom/page.js";
import { messages, openElsewhere, openFront } from "./front.js";

const challenge = (more = {}) => ({ ...messages().challenge.table, ...more });
const resume = (more = {}) => ({ match: "saved", kind: "resume", by: "Ben", title: "Kalah", left: 600_000, ...more });
const toasts = (page) => page.findAll("#challenges .toast [data-part=words]").map((words) => words.textContent);
/** Wait for the toasts: what shows them is loaded with the first one. */
const told = (page, words) => page.until(() => isDeepStrictEqual(toasts(page), words), `the toasts ${words}`);
const hello = (more) => ({ ...messages().hello, ...more });
const CALL = "Ben invites you to resume your saved match: Kalah";
const CHALLENGE = "Ben challenges you: Nine Men’s Morris";

test("a challenge is told on any page with its terms, takes no focus, and is accepted there", async (t) => {
  const { page, me } = await openElsewhere(t);
  const before = page.document.activeElement;
  await me.tell({ type: "table", table: challenge() });
  await told(page, [CHALLENGE]);
  assert.equal(page.text("#challenges [data-part=terms]"), "Nine · Casual · No clock");
  assert.equal(page.document.activeElement, before);
  const accept = page.find("#challenges [data-part=accept] button");
  assert.equal(accept.getAttribute("aria-label"), "Accept Ben’s challenge");
  await page.click(accept);
  assert.equal(page.left[0].url, "/t/challenge/sit");
});

test("a challenge is told again after a reload, and goes when it is withdrawn or its match begins", async (t) => {
  const { page, me } = await openElsewhere(t, { hello: hello({ challenges: [challenge(), challenge({ id: "second" })] }) });
  await told(page, [CHALLENGE, CHALLENGE]);
  await me.tell({ type: "table-gone", id: "challenge" });
  await told(page, [CHALLENGE]);
  await me.tell({ type: "table", table: challenge({ id: "second", match: "begun" }) });
  await told(page, []);
});

test("what a new connection no longer tells of goes", async (t) => {
  const { page, me } = await openElsewhere(t, { hello: hello({ challenges: [challenge()], calls: [resume()] }) });
  await told(page, [CHALLENGE, CALL]);
  await me.tell(hello({}));
  await told(page, []);
});

test("to decline sends the form, takes the toast away and stays on the page", async (t) => {
  const { page, me } = await openElsewhere(t);
  await me.tell({ type: "table", table: challenge() });
  await told(page, [CHALLENGE]);
  page.answer("/t/challenge/decline", "", 404);
  await page.click("#challenges [data-part=decline] button");
  assert.equal(page.fetched.at(-1).url, "/t/challenge/decline");
  await told(page, []);
  assert.deepEqual(page.left, []);
});

test("a challenge that could not be declined stays and says so", async (t) => {
  const { page, me } = await openElsewhere(t);
  await me.tell({ type: "table", table: challenge() });
  await told(page, [CHALLENGE]);
  page.answer("/t/challenge/decline", "", 503);
  await page.click("#challenges [data-part=decline] button");
  assert.equal(page.text("#challenges [data-part=terms]"), "That did not work. Please try again.");
});

const DECLINED = { type: "declined", table: "annas-table", name: "Ben", title: "Kalah" };

test("a host reads on any page that their challenge was declined", async (t) => {
  const { page, me } = await openElsewhere(t);
  await me.tell(DECLINED);
  await told(page, ["Ben declined your challenge: Kalah"]);
});

test("at its table that is no toast, since the page says it", async (t) => {
  const { page, me } = await openElsewhere(t, { html: rendered("table") });
  await me.tell(DECLINED, { type: "call", call: resume() });
  await told(page, [CALL]);
});

test("a challenge stands among my games, with both answers", async (t) => {
  const { page, me } = await openFront(t);
  await me.tell({ type: "table", table: challenge() });
  assert.match(page.text("#my-tables > [data-id=challenge]"), /Challenge/);
  // What waits for an answer comes first.
  assert.equal(page.find("#my-tables > [data-id]").dataset.id, "challenge");
  await told(page, [CHALLENGE]);
  await page.click("#challenges [data-part=close]");
  assert.equal(page.findAll("#challenges .toast").length, 0);
  assert.equal(page.shows("#my-tables > [data-id=challenge] [data-part=decline]"), true);
  await page.click("#my-tables > [data-id=challenge] [data-part=sit] button");
  assert.equal(page.left[0].url, "/t/challenge/sit");
});

test("the page of the table of a challenge has no second notice of it", async (t) => {
  const html = rendered("table-by-invitation").replace('data-table="by-invitation"', 'data-table="challenge"');
  const { page, me } = await openElsewhere(t, { html });
  await me.tell({ type: "table", table: challenge() }, { type: "call", call: resume() });
  await told(page, [CALL]);
});

test("a call reaches one on any page and leads to the match", async (t) => {
  const { page, me } = await openElsewhere(t);
  await me.tell({ type: "call", call: resume() });
  await told(page, [CALL]);
  assert.equal(page.find("#challenges [data-part=go]").getAttribute("href"), "/m/saved");
});

test("a call that was dismissed is not repeated on the next page", async (t) => {
  const { page, me } = await openElsewhere(t, { hello: hello({ calls: [resume()] }) });
  await told(page, [CALL]);
  await page.click("#challenges [data-part=dismiss]");
  await me.tell(hello({ calls: [resume({ left: 500_000 })] }));
  await told(page, []);
});

test("a later call is told although one was dismissed", async (t) => {
  const { page, me } = await openElsewhere(t, { hello: hello({ calls: [resume()] }) });
  await told(page, [CALL]);
  await page.click("#challenges [data-part=dismiss]");
  await me.tell({ type: "call-over", match: "saved" }, { type: "call", call: resume() });
  await told(page, [CALL]);
});

test("a call is gone once it was answered elsewhere", async (t) => {
  const { page, me } = await openElsewhere(t, { hello: hello({ calls: [resume()] }) });
  await told(page, [CALL]);
  await me.tell({ type: "call-over", match: "saved" });
  await told(page, []);
});

test("a call is gone when its time is over", async (t) => {
  const { page } = await openElsewhere(t, { hello: hello({ calls: [resume()] }) });
  await told(page, [CALL]);
  await page.time.pass(599_000);
  await told(page, [CALL]);
  await page.time.pass(2_000);
  await told(page, []);
});

test("an offered rematch is told, and one that has begun leads to its match", async (t) => {
  const { page, me } = await openElsewhere(t);
  await me.tell({ type: "call", call: resume({ kind: "rematch" }) });
  await told(page, ["Ben offers you a rematch: Kalah"]);
  await me.tell({ type: "call-over", match: "saved" });
  await me.tell({ type: "begun", match: "rematch", rematch_of: "saved", title: "Kalah" });
  await told(page, ["Your rematch has begun: Kalah"]);
  assert.equal(page.find("#challenges [data-part=go]").getAttribute("href"), "/m/rematch");
});

const next = (more = {}) => ({ match: "cup-match", tournament: "cup", name: "Friday cup", title: "Kalah", round: 2, table: 1, opponents: ["Ben"], left: 30_000, ...more });
const OFFER = "Friday cup, round 2: you play Ben.";

test("the next match of a tournament is offered once on any page, and leads there", async (t) => {
  const { page, me } = await openElsewhere(t, { hello: hello({ next: [next()] }) });
  await me.tell({ type: "next-match", next: next() });
  await page.until(() => toasts(page).length);
  assert.deepEqual(toasts(page), [`${OFFER} Make your first move within 30 s.`]);
  assert.equal(page.find("#challenges [data-part=go]").getAttribute("href"), "/m/cup-match");
});

test("a long time for the first move is told in minutes", async (t) => {
  const { page, me } = await openElsewhere(t);
  await me.tell({ type: "next-match", next: next({ left: 590_000 }) });
  await page.until(() => toasts(page).length);
  assert.deepEqual(toasts(page), [`${OFFER} Make your first move within 10 min.`]);
});

test("the offer of a match counts down and goes when its time is up", async (t) => {
  const { page, me } = await openElsewhere(t);
  await me.tell({ type: "next-match", next: next({ left: 3_000 }) });
  await page.until(() => toasts(page).length);
  await page.time.pass(1_000);
  assert.deepEqual(toasts(page), [`${OFFER} Make your first move within 2 s.`]);
  await page.time.pass(2_000);
  assert.deepEqual(toasts(page), []);
});

test("the offer of a match goes in other tabs once the first move was made", async (t) => {
  const { page, me } = await openElsewhere(t);
  const turn = (mine) => me.tell({ type: "turn", match: "cup-match", mine, left: mine ? 30_000 : null });
  await turn(false);
  await me.tell({ type: "next-match", next: next() });
  await page.until(() => toasts(page).length);
  await turn(false);
  assert.equal(toasts(page).length, 1);
  await turn(true);
  assert.equal(toasts(page).length, 1);
  await turn(false);
  await page.until(() => toasts(page).length === 0);
});

test("an offer without a clock stays until the server no longer tells of it", async (t) => {
  const { page, me } = await openElsewhere(t);
  await me.tell({ type: "next-match", next: next({ left: null }) });
  await page.until(() => toasts(page).length);
  await page.time.pass(5_000);
  assert.deepEqual(toasts(page), [`${OFFER} `]);
  await me.tell(hello({}));
  await page.until(() => toasts(page).length === 0);
});
