/** Pits have the same numbers on every page: those of the reader's setting, as on the page of a match. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { openPage, rendered } from "../dom/page.js";

const { start, plies } = JSON.parse(readFileSync(new URL("../../data/pages/plies-kalah.json", import.meta.url), "utf8"));
/** Ply 2 is of the second player, whose first pit is 7 round the board. */
const ANALYSIS = `<article><p id="said"></p>
  <section id="position" data-positions="/positions" data-board="/static/boards/kalah.js" data-names='["Anna", "Ben"]'>
    <div class="miniboard-art"></div><p id="words"></p><input type="range" value="0" disabled>
  </section>
  <div id="analysis" data-fills aria-busy="false">
    <p id="better">1: <span data-move="2" data-after="0">2</span> was better</p>
    <table><tr data-ply="2"><td data-cell="name">Ben</td><td data-cell="played"><strong><span data-move="1" data-after="1">1</span></strong></td>
      <td data-cell="best"><span data-move="swap" data-after="1">swap</span></td></tr></table>
  </div></article>`;

for (const [pits, number] of [["auto", "7"], ["round", "7"], ["side", "1"]]) {
  test(`an analysis names pits by the setting ${pits}`, async (t) => {
    const before = (page) => page.answer("/positions", { positions: [{ ply: 0, state: start.state }, ...plies.map((ply) => ({ ply: ply.number, state: ply.state, events: ply.events }))] });
    const page = await openPage(t, { html: ANALYSIS, settings: { pits }, before, modules: ["finished/analysis.js"] });
    await page.until(() => !page.find("input").disabled);
    assert.equal(page.text("[data-cell=played]"), number);
    assert.equal(page.text("[data-cell=best]"), "swap");
    assert.equal(page.text("#better"), "1: 2 was better");
    page.find("input").value = "2";
    page.find("input").dispatchEvent(new page.window.Event("input"));
    assert.match(page.text("#words"), new RegExp(`Ben played ${number}\\.`));
  });

  test(`an embedded board tells pits by the setting ${pits}`, async (t) => {
    const page = await openPage(t, { html: rendered("embed-replay"), path: "/embed/match", settings: { pits }, modules: ["finished/embed.js"] });
    assert.ok(page.find("#art").getAttribute("aria-label").includes(`Ben’s pits from ${number}:`));
  });
}
