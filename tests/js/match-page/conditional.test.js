/** Conditional moves on the match page: a line is entered on the board, kept, shown and removed. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { openMatch } from "../dom/match.js";

const SLOW = { notation: "3d", initial: 0, increment: 0, per_move: 259_200_000, first_move: null };
const NOON = Date.UTC(2026, 0, 1, 12);
const clocks = { left: [259_200_000, 259_200_000], running: 1, at: NOON, fresh: [], budget: [] };
const ADDRESS = "/m/match/conditional";
const LINE = { moves: ["1", "2"], mine: [false, true] };
const cell = (place) => `[data-cell="${place}"]`;
const part = (name) => `#plan [data-part=${name}]`;
const shownLines = (page) => page.findAll("#conditional li .row-title").map(({ textContent }) => textContent);

/** Anna has seat 0, and it is Ben's turn; these lines are hers. */
async function open(t, lines = []) {
  const { page, server } = await openMatch(t, {
    page: "match-slow",
    ply: 1,
    match: { clock: SLOW },
    snapshot: { clocks },
    before(page) {
      // The longer path first: that is the one that is found.
      page.answer(`${ADDRESS}/1`, {});
      page.answer(ADDRESS, { ply: 1, lines });
    },
  });
  await page.until(() => !page.find("#conditional-bar").hidden && shownLines(page).length === lines.length, "the button and the lines");
  return { page, server };
}

/** Where recorded plies lead, as the server tells it. @param {import("../dom/match.js").MatchServer} server */
function leads(page, server, count) {
  const states = server.plies.slice(1, 1 + count).map(({ action, state }) => ({ move: action, state }));
  page.answer(`${ADDRESS}/1`, { ply: 1, states, legal: server.plies[count].legal });
}

async function begin(page, server) {
  leads(page, server, 0);
  await page.click("#conditional-bar button");
  await page.click("#conditional [data-part=add]");
  await page.until(() => !page.find("#plan").hidden, "the line");
}

test("a line is entered on the board for both, and kept", async (t) => {
  const { page, server } = await open(t);
  await begin(page, server);
  assert.match(page.text("#plan p"), /What might Ben play\?/);
  assert.ok(page.find(part("keep")).disabled);
  leads(page, server, 1);
  await page.click(cell(7));
  assert.match(page.fetched.at(-1).url, /conditional\/1\?moves=1$/);
  assert.match(page.text("#plan p"), /If 7\. Your reply\?/);
  assert.ok(page.find(part("keep")).disabled);
  leads(page, server, 2);
  await page.click(cell(1));
  assert.match(page.fetched.at(-1).url, /moves=1\.2$/);
  page.answer(ADDRESS, { ply: 1, lines: [LINE] });
  await page.click(part("keep"));
  const { method, body } = page.fetched.at(-1);
  assert.deepEqual([method, JSON.parse(body)], ["POST", { after: 1, lines: [["1", "2"]] }]);
  assert.deepEqual(shownLines(page), ["If 7, then 2"]);
  assert.ok(page.find("#plan").hidden);
  assert.equal(server.asked("move"), undefined);
});

test("a move of a line can be undone, and the line given up", async (t) => {
  const { page, server } = await open(t);
  await begin(page, server);
  leads(page, server, 1);
  await page.click(cell(7));
  leads(page, server, 0);
  await page.click(part("undo"));
  assert.match(page.text("#plan p"), /^What might Ben play\?$/);
  await page.click(part("cancel"));
  assert.ok(page.find("#plan").hidden);
});

test("lines are counted, told and removed", async (t) => {
  const other = { moves: ["4", "1", "3"], mine: [false, false, true] };
  const { page } = await open(t, [LINE, other]);
  assert.equal(page.text("#conditional-bar [data-part=count]"), "2");
  assert.deepEqual(shownLines(page), ["If 7, then 2", "If 10 7, then 3"]);
  page.answer(ADDRESS, { ply: 1, lines: [other] });
  await page.click("#conditional-bar button");
  await page.click("#conditional li button");
  assert.deepEqual(JSON.parse(page.fetched.at(-1).body), { after: 1, lines: [["4", "1", "3"]] });
  assert.deepEqual(shownLines(page), ["If 10 7, then 3"]);
});

test("a line is entered by keys alone, and the focus is never lost", async (t) => {
  const { page, server } = await open(t, [LINE]);
  const focused = () => page.document.activeElement;
  page.find("#conditional-bar button").focus();
  await page.press("Enter");
  page.find("#conditional [data-part=add]").focus();
  leads(page, server, 0);
  await page.press("Enter");
  await page.until(() => focused().matches("#board [data-cell]"), "the focus on the board");
  leads(page, server, 1);
  await page.press("7");
  assert.match(page.text("#plan p"), /If 7\. Your reply/);
  leads(page, server, 0);
  page.find(part("undo")).focus();
  await page.press("Enter");
  await page.until(() => focused().matches("#board [data-cell]"), "the focus on the board");
  page.find(part("cancel")).focus();
  await page.press("Enter");
  assert.ok(focused().matches("#conditional-bar button"));
  await page.press("Enter");
  page.find("#conditional li button").focus();
  page.answer(ADDRESS, { ply: 1, lines: [] });
  await page.press("Enter");
  await page.until(() => focused().matches("#conditional [data-part=add]"), "the focus on what is left");
});

test("a refusal is told and changes nothing", async (t) => {
  const { page } = await open(t, [LINE]);
  page.answer(ADDRESS, { code: "stale", detail: "The position has changed." }, 409);
  await page.click("#conditional-bar button");
  await page.click("#conditional li button");
  assert.match(page.text("#notice"), /position has changed/);
  assert.deepEqual(shownLines(page), ["If 7, then 2"]);
});

test("when the opponent moves the line in hand is over, and the rest is read again", async (t) => {
  const { page, server } = await open(t, [LINE]);
  await begin(page, server);
  page.answer(ADDRESS, { ply: 2, lines: [] });
  await server.play();
  assert.ok(page.find("#plan").hidden);
  assert.ok(page.find("#conditional-bar").hidden);
  assert.deepEqual(shownLines(page), []);
  assert.equal(page.find("#match").dataset.ply, "2");
});
