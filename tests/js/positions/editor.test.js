/** Setting up a position on its page. */

import "../catalogue.js";
import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage, rendered } from "../dom/page.js";

const { short, written } = await import("../../../static/positions/editor.js");

const START = "kalah.1 classic turn=0 board=4*6,0,4*6,0";

/** @param {import("node:test").TestContext} t @param {{generic?: boolean, ended?: object|null}} [options] */
async function open(t, { generic = false, ended = null } = {}) {
  const html = rendered("position-kalah")
    .replace(/data-board="[^"]*"/, 'data-board="/static/boards/kalah.js"')
    .replace('"ended": null', `"ended": ${JSON.stringify(ended)}`)
    .replace(/data-edit="[^"]*"/, generic ? "" : 'data-edit="/static/boards/kalah/edit.js"');
  const page = await openPage(t, { html, path: "/position/kalah", modules: ["positions/position.js"] });
  const told = JSON.parse(page.find("#position").textContent);
  accept(page, told);
  await page.click("#edit");
  await page.until(() => !page.find("#edit-done").disabled, "the answer about the position");
  return { page, told };
}

/** @param {any} page @param {object} told */
const accept = (page, told) => page.answer("/api/v1/position", told);
const refuse = (page, detail) => page.answer("/api/v1/position", { detail, field: "board" }, 422);
const asked = (page) => new URL(page.fetched.at(-1).url, "http://parlour.test").searchParams.get("position");

/** @param {any} page @param {string} place */
const press = (page, place) => page.click(`#board [data-cell="${place}"]`);

test("presses change the board, and the server is asked whether a match can have it", async (t) => {
  const { page } = await open(t);
  refuse(page, "There are 49 seeds. These rules have 48.");
  await press(page, "0");
  assert.equal(asked(page), "kalah.1 classic turn=0 board=[5,4,4,4,4,4,0,4,4,4,4,4,4,0] swapper=null ended=null");
  assert.match(page.text("#notice"), /49 seeds/);
  assert.equal(page.find("#edit-done").disabled, true);
  assert.match(page.find('#board [data-cell="0"]').getAttribute("aria-label"), /5/);
  await page.click("#edit-undo");
  assert.match(page.find('#board [data-cell="0"]').getAttribute("aria-label"), /4/);
});

test("what was set up is played on, and other tools and the turn are kept", async (t) => {
  const { page, told } = await open(t);
  const position = "kalah.1 classic turn=1 board=0,4*5,0,4*6,0";
  accept(page, { ...told, position, state: { ...told.state, turn: 1, board: [0, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 0] } });
  await page.choose('#tools [value="none"]');
  await press(page, "0");
  await page.choose("#edit-turn", "1");
  assert.match(asked(page), /^kalah\.1 classic turn=1 board=\[0,4/);
  await page.click("#edit-done");
  assert.equal(page.find("#text").value, position);
  assert.equal(decodeURIComponent(page.window.location.search).replaceAll("+", " "), `?p=${position}`);
  assert.equal(page.shows("#playing"), true);
  assert.match(page.text("#question"), /To move: Player 2/);
});

test("the editor is left without a change by its own button", async (t) => {
  const { page } = await open(t);
  await page.click("#edit-clear");
  await page.click("#edit");
  assert.equal(page.find("#text").value, START);
  assert.equal(page.shows("#editing"), false);
  assert.match(page.find('#board [data-cell="0"]').getAttribute("aria-label"), /4/);
});

test("the proved result is that of the draft", async (t) => {
  const { page, told } = await open(t);
  const value = { result: 1, score: 4, turns: null };
  accept(page, { ...told, value });
  await press(page, "0");
  await page.until(() => page.shows("#value"), "the result");
  assert.equal(page.text("#value"), "Proved: Player 1 wins by 4.");
  refuse(page, "There are 50 seeds. These rules have 48.");
  await press(page, "0");
  assert.equal(page.shows("#value"), false);
});

test("what is set up at the end of a match goes on", async (t) => {
  const { page } = await open(t, { ended: { winners: [0], reason: "swept", scores: [25, 23] } });
  await press(page, "0");
  assert.match(asked(page), /ended=null/);
});

test("a game without an editor of its own has the fields of its state", async (t) => {
  const { page, told } = await open(t, { generic: true });
  assert.equal(page.shows("#tools"), false);
  assert.equal(page.shows("#edit-clear"), false);
  assert.equal(page.find("#field-board").value, "4,4,4,4,4,4,0,4,4,4,4,4,4,0");
  await press(page, "0");
  assert.match(page.text("#notice"), /fields/);
  refuse(page, "“board” is missing or not valid.");
  await page.type("#field-board", "4, 4", { enter: false });
  await page.choose("#field-board");
  assert.match(asked(page), /board=4,4 /);
  assert.match(page.text("#fields-error"), /board/);
  assert.equal(page.find("#field-board").getAttribute("aria-invalid"), "true");
  accept(page, { ...told, state: { ...told.state, board: [1, ...told.state.board.slice(1)] } });
  await page.choose("#field-board");
  await page.until(() => page.find("#field-board").value.startsWith("1,"), "the field");
});

test("values are written as the text of a position has them", () => {
  assert.deepEqual(written({ turn: 0, options: {}, board: "W.", hand: [1, 2] }), { turn: "0", board: '"W."', hand: "[1,2]" });
  assert.deepEqual([[1, 2], [[0], [1]], [1], [], "W.B", "", "1a", true, null, 3].map(short), ["1,2", "[0],[1]", "[1]", "[]", "W.B", '""', '"1a"', "true", "null", "3"]);
});
