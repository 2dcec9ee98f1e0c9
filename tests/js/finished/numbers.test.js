/** Pits have the same numbers on every page: those of the reader's setting, as on the page of a match. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { openPage, rendered } from "../dom/page.js";

const { start, plies } = JSON.parse(readFileSync(new URL("../../../var/rendered/plies-kalah.json", import.meta.url), "utf8"));
/** Ply 2 is of the second player, whose first pit is 7 round the board. Ply 1 was a mistake, ply 2 the best move. */
const ANALYSIS = `<article><p id="said"></p>
  <section id="position" data-positions="/positions" data-moves="/analysis" data-board="/static/boards/kalah.js" data-names='["Anna", "Ben"]'>
    <div><div id="board"></div></div><div id="controls"></div><p id="position-words"></p>
    <button id="previous-mistake" disabled></button><button id="next-mistake" disabled></button><button id="try" disabled></button>
    <input type="range" min="1" value="1" disabled>
  </section>
  <div id="analysis" data-fills aria-busy="false">
    <p id="better">1: <span data-move="2" data-after="0">2</span> was better</p>
    <table>
      <tr data-ply="1" data-after="0" data-played="1" data-better="2" data-known data-mistake><td data-cell="name">Anna</td>
        <td data-cell="played"><strong><span data-move="1" data-after="0">1</span></strong></td><td data-cell="worth">40 %</td>
        <td data-cell="best"><span data-move="2" data-after="0">2</span></td><td data-cell="lost">20 %</td></tr>
      <tr data-ply="2" data-after="1" data-played="1" data-better="" data-known><td data-cell="name">Ben</td>
        <td data-cell="played"><strong><span data-move="1" data-after="1">1</span></strong></td><td data-cell="worth">60 %</td>
        <td data-cell="best"><span data-move="swap" data-after="1">swap</span></td></tr>
    </table>
  </div></article>`;
const LEGAL = ["1", "2", "3", "4", "5", "6"];
const POSITIONS = [{ ply: 0, move: 0, state: start.state, events: [], legal: LEGAL },
  ...plies.map(({ number, state, events }) => ({ ply: number, move: number, state, events, legal: LEGAL }))];

/** The page of an analysis, and how to go to a ply. @param {import("node:test").TestContext} t @param {object} [options] */
async function analysis(t, options = {}) {
  const before = (page) => page.answer("/positions", { positions: POSITIONS });
  const page = await openPage(t, { html: ANALYSIS, before, modules: ["finished/analysis.js"], ...options });
  await page.until(() => !page.find("input").disabled);
  const go = (ply) => {
    page.find("input").value = String(ply);
    page.find("input").dispatchEvent(new page.window.Event("input"));
  };
  return { page, go };
}

for (const [pits, number] of [["auto", "7"], ["round", "7"], ["side", "1"]]) {
  test(`an analysis names pits by the setting ${pits}`, async (t) => {
    const { page, go } = await analysis(t, { settings: { pits } });
    assert.equal(page.text("tr[data-ply='2'] [data-cell=played]"), number);
    assert.equal(page.text("tr[data-ply='2'] [data-cell=best]"), "swap");
    assert.equal(page.text("#better"), "1: 2 was better");
    go(2);
    assert.match(page.text("#position-words"), new RegExp(`Ben played ${number}\\.`));
  });

  test(`an embedded board tells pits by the setting ${pits}`, async (t) => {
    const page = await openPage(t, { html: rendered("embed-replay"), path: "/embed/match", settings: { pits }, modules: ["finished/embed.js"] });
    assert.ok(page.find("#art").getAttribute("aria-label").includes(`Ben’s pits from ${number}:`));
  });
}

test("an analysis begins before the first mistake, with the played and the better move on the board", async (t) => {
  const { page, go } = await analysis(t);
  assert.equal(page.find("input").value, "1");
  assert.equal(page.text("#position-words"), "Move 1: Anna played 1. Expected: 40 %. 2 was better; 20 % given away.");
  assert.equal(page.findAll(".track-played, .track-better").length, 2);
  assert.match(page.find(".track-played path + path").getAttribute("stroke-dasharray"), /\d/);
  assert.equal(page.find(".track-better path + path").getAttribute("stroke-dasharray"), null);
  go(2);
  assert.deepEqual([page.findAll(".track-played").length, page.findAll(".track-better").length], [0, 1]);
});

test("keys and buttons lead from mistake to mistake", async (t) => {
  const { page, go } = await analysis(t);
  assert.deepEqual(["#previous-mistake", "#next-mistake"].map((id) => page.find(id).disabled), [true, true]);
  go(2);
  assert.deepEqual(["#previous-mistake", "#next-mistake"].map((id) => page.find(id).disabled), [false, true]);
  await page.press("p");
  assert.equal(page.find("input").value, "1");
});

test("a move that is tried hides the answer, and is judged by the server", async (t) => {
  const verdict = { best: false, words: "Better than in the match. Expected: 50 %. The best move: 60 %.", ply: { number: 1, ...plies[0] } };
  const { page } = await analysis(t);
  page.answer("/analysis/0/moves/3", verdict);
  await page.press("t");
  assert.equal(page.findAll(".track-played, .track-better").length, 0);
  assert.equal(page.text("#position-words"), "Anna to move");
  await page.press("3");
  await page.until(() => page.text("#position-words").includes("Better"));
  assert.equal(page.text("#position-words"), `✗ 3: ${verdict.words}`);
  await page.press("t");
  assert.equal(page.text("#position-words"), "Anna to move");
});

test("after a failed request the position stays as it was", async (t) => {
  const { page } = await analysis(t);
  page.answer("/analysis/0/moves/3", { code: "not-analysed", detail: "This position has not been analysed yet." }, 409);
  await page.press("3");
  await page.until(() => page.text("#position-words").includes("not been"));
  assert.equal(page.findAll(".track-better").length, 1);
});
