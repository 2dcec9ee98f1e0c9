/** What somebody who listens hears of the others in a study. */

import "../catalogue.js";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { openPage, rendered } from "../dom/page.js";

const recorded = JSON.parse(readFileSync(new URL("../../../var/rendered/plies-kalah.json", import.meta.url), "utf8"));

/** What a node led to. @param {any} made */
const ply = (made) => ({ action: "", dice: null, events: [], position: "", due: null, outcome: null, value: null, ...made });
const [START, FIRST, SECOND, OTHER, LAST] = [recorded.start, ...recorded.plies].map(ply);

/** A study of Anna in which the first move is played, and in which she is. @param {import("node:test").TestContext} t */
async function open(t) {
  const html = rendered("study").replace(/data-board="[^"]*"/, 'data-board="/static/boards/kalah.js"');
  const page = await openPage(t, {
    html,
    path: "/study/study",
    before: (made) =>
      made.answer("/study/study/chapter/1", { number: 1, nodes: [{ id: 0 }, { id: 1, parent: 0, action: "1" }], plies: { 0: START, 1: FIRST } }),
  });
  const loaded = page.load("studies/study.js");
  const { chapter } = JSON.parse(page.find("#chapter").textContent);
  // The feed of the study is asked for once the board has loaded.
  await (await page.feed("me")).open();
  await loaded;
  const feed = await page.feed("study");
  await feed.open({ type: "study", title: "First moves", role: "owner", chapters: [{ id: chapter, title: "Start", number: 1 }] });
  await page.until(() => page.findAll("#tree .ply").length === 1, "the tree");
  let number = 1;
  /** Somebody changes the chapter. @param {any[]} nodes @param {object} [plies] @param {string} [by] */
  async function change(nodes, plies = {}, by = "Ben") {
    number += 1;
    await feed.tell({ type: "changed", chapter, number, by, nodes, plies });
    return page.text("#say-others");
  }
  return { page, feed, chapter, change };
}

const [ONE, TWO] = [{ id: 1, parent: 0, action: "1" }, { id: 2, parent: 1, action: "1" }];

test("what others do is said, and what one does oneself is not", async (t) => {
  const { change } = await open(t);
  assert.equal(await change([TWO], { 2: SECOND }, "Anna"), "");
  assert.equal(await change([{ id: 3, parent: 0, action: "2" }], { 3: OTHER }), "Ben adds a first move: 2.");
  assert.equal(await change([{ id: 4, parent: 1, action: "3" }], { 4: LAST }), "Ben adds a move after 1: 9.");
  assert.equal(await change([{ ...ONE, comment: "Good start" }]), "Ben comments on 1: Good start");
  assert.equal(await change([ONE]), "Ben removes the comment on 1.");
  assert.equal(await change([{ ...ONE, glyph: "!" }]), "Ben signs 1: Good move.");
  assert.equal(await change([ONE]), "Ben removes the sign of 1.");
  assert.equal(await change([{ ...ONE, marks: ["a"] }]), "Ben changes the marks at 1.");
  assert.equal(await change([{ ...ONE, marks: ["a"], rank: 9 }]), "Ben makes 1 the main line.");
  assert.equal(await change([{ id: 0, comment: "Welcome" }]), "Ben comments on the start: Welcome");
});

test("whoever is at a removed move hears so, and where they are now", async (t) => {
  const { page, change } = await open(t);
  await change([TWO], { 2: SECOND });
  await page.click('#tree [data-node="2"]');
  assert.equal(await change([{ ...ONE, removed: true }, { ...TWO, removed: true }]), "Ben removes 1 and all after it.");
  assert.match(page.text("#say-soon"), /^Player 1 to move\./);
});

test("the focus stays at a move while others change the tree", async (t) => {
  const { page, change } = await open(t);
  page.find('#tree [data-node="1"]').focus();
  await change([TWO], { 2: SECOND });
  assert.equal(page.document.activeElement.dataset.node, "1");
});

test("who is there is said once, and at which move they are is read", async (t) => {
  const { page, feed, chapter } = await open(t);
  /** @param {number} node */
  const look = (node) => feed.tell({ type: "cursor", by: "Ben", chapter, node, leads: false, follows: false });
  await look(0);
  const [name] = page.find("#people").childNodes;
  await look(1);
  assert.equal(page.find("#people").firstChild, name);
  assert.equal(page.find('#tree [data-node="1"] + [role=img]').getAttribute("aria-label"), "Ben");
});

test("keys lead to the chapters before and after, which are links", async (t) => {
  const { page } = await open(t);
  const [, second] = page.findAll(".study-choose a");
  await page.press("p");
  assert.deepEqual(page.left, []);
  await page.press("n");
  assert.equal(page.left.at(-1).url, second.getAttribute("href"));
});
