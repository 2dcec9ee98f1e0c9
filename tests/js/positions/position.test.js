/** The page of a position: moves and dice of all seats, and what follows the board. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage, rendered } from "../dom/page.js";

const START = "kalah.1 classic turn=0 board=4*6,0,4*6,0";
const MOVED = {
  position: "kalah.1 classic turn=1 board=0,5,5,5,5,4,0,4*6,0",
  state: { turn: 1, board: [0, 5, 5, 5, 5, 4, 0, 4, 4, 4, 4, 4, 4, 0], options: { pits: 6, seeds: 4 } },
  legal: ["1", "2", "3", "4", "5", "6"],
  dice: null,
  outcome: null,
  value: null,
  notations: {},
};

/** @param {import("node:test").TestContext} t @param {string} [game] */
async function open(t, game = "kalah") {
  const html = rendered(`position-${game}`).replace(/data-board="[^"]*"/, `data-board="/static/boards/${game}.js"`);
  const page = await openPage(t, { html, path: `/position/${game}`, modules: ["positions/position.js"] });
  await page.until(() => page.find("#position-page").dataset.ply === "0", "the position on the board");
  return page;
}

/** @param {any} page @param {object} after */
function answer(page, after, events = []) {
  page.answer("/api/v1/position/move", { events, after });
}

const state = (page) => ({
  text: page.find("#text").value,
  played: page.find("#play-form").elements.namedItem("position").value,
  address: decodeURIComponent(page.window.location.search).replaceAll("+", " "),
});

test("a move changes the board, the text, the address and what is played from here; undo goes back", async (t) => {
  const page = await open(t);
  assert.deepEqual(state(page), { text: START, played: START, address: "" });
  const key = page.find("[name=key]").value;
  answer(page, { ...MOVED, state: { ...JSON.parse(page.find("#position").textContent).state, ...MOVED.state } });
  await page.press("1");
  await page.until(() => page.find("#position-page").dataset.ply === "1", "the move on the board");
  const asked = new URL(page.fetched.at(-1).url, "http://parlour.test").searchParams;
  assert.deepEqual([asked.get("position"), asked.get("move")], [START, "1"]);
  assert.deepEqual(state(page), { text: MOVED.position, played: MOVED.position, address: `?p=${MOVED.position}` });
  assert.notEqual(page.find("[name=key]").value, key, "another position is another form");
  assert.match(page.text("#question"), /To move: Player 2/);
  await page.click("#undo");
  assert.deepEqual(state(page), { text: START, played: START, address: `?p=${START}` });
  assert.equal(page.find("#undo").disabled, true);
});

test("an address opens the editor", async (t) => {
  const html = rendered("position-kalah").replace(/data-board="[^"]*"/, 'data-board="/static/boards/kalah.js"').replace(/data-edit="[^"]*"/, "");
  const before = (page) => page.answer("/api/v1/position", MOVED);
  const page = await openPage(t, { html, path: "/position/kalah#set-up", modules: ["positions/position.js"], before });
  await page.until(() => page.shows("#editing"), "the editor");
});

test("a move that does not arrive changes nothing and says so", async (t) => {
  const page = await open(t);
  page.answer("/api/v1/position/move", { detail: "Too many requests. Try again in 3 s." }, 429);
  await page.press("1");
  await page.until(() => page.text("#notice") !== "", "the notice");
  assert.match(page.text("#notice"), /Too many requests/);
  assert.equal(page.find("#text").value, START);
});

test("no match begins while a roll is due, and typed dice must be those of the game", async (t) => {
  const page = await open(t, "cantstop");
  const { position, state: start } = JSON.parse(page.find("#position").textContent);
  const due = { position: `${position} due=true`, state: { ...start, due: true }, legal: [], dice: { count: 4, sides: 6 }, outcome: null, value: null, notations: {} };
  assert.equal(page.find("#play-form [type=submit]").disabled, false);
  answer(page, due);
  await page.press("r");
  await page.until(() => page.shows("#dice"), "the dice");
  assert.equal(page.find("#play-form [type=submit]").disabled, true);
  assert.equal(page.find("#play-not").hidden, false);
  await page.type("#faces", "3 4 7 1");
  assert.match(page.text("#notice"), /4 numbers from 1 to 6/);
  answer(page, { ...due, position, state: start, dice: null, legal: ["roll"] });
  await page.type("#faces", "3 4 6 1");
  await page.until(() => !page.shows("#dice"), "the roll");
  const asked = new URL(page.fetched.at(-1).url, "http://parlour.test").searchParams;
  assert.deepEqual(asked.getAll("dice"), ["3", "4", "6", "1"]);
});
