import assert from "node:assert/strict";
import { test } from "node:test";

import { JSDOM } from "jsdom";

const { bindFinished } = await import("../../../static/lobby/finished.js");

const page = (finished, empty) =>
  new JSDOM(`<p id="no-mine">${empty}</p><section id="finished">${finished}</section>`).window.document;

const EMPTY = ["", "Your games will be here"];
const OVER = ['<a href="/m/k7w2m9xqd4">Kalah</a>', "You have no games in progress."];

function bound(playing) {
  globalThis.document = page(...EMPTY);
  let loads = 0;
  const tell = bindFinished(playing, async () => {
    loads++;
    return page(...OVER);
  });
  return { tell, loads: () => loads };
}

test("a match that leaves those in play is shown among the finished ones", async () => {
  const { tell } = bound([]);
  await tell(["k7w2m9xqd4"]);
  assert.equal(globalThis.document.querySelector("#finished a"), null);
  await tell([]);
  assert.equal(globalThis.document.querySelector("#finished a").textContent, "Kalah");
  assert.equal(globalThis.document.getElementById("no-mine").textContent, OVER[1]);
});

test("a match that ended before the first list came is shown among the finished ones", async () => {
  const { tell } = bound(["k7w2m9xqd4"]);
  await tell([]);
  assert.notEqual(globalThis.document.querySelector("#finished a"), null);
});

test("nothing is asked for while all go on", async () => {
  const { tell, loads } = bound(["k7w2m9xqd4"]);
  await tell(["k7w2m9xqd4", "m9xqd4k7w2"]);
  assert.equal(loads(), 0);
});

test("a page that cannot be loaded leaves the list as it is", async () => {
  globalThis.document = page(...OVER);
  await bindFinished(["k7w2m9xqd4"], async () => null)([]);
  assert.notEqual(globalThis.document.querySelector("#finished a"), null);
});
