import assert from "node:assert/strict";
import { test } from "node:test";

import { JSDOM } from "jsdom";

const { window } = new JSDOM("");
globalThis.DOMParser = window.DOMParser;
const { bindUnsettled } = await import("../../../static/net/refresh.js");

const UNSETTLED = '<div id="profile" data-unsettled>1500</div>';
const SETTLED = '<div id="profile">1512</div>';

/** Bind a page, of which the server then makes these, one after the other; how often it was asked. */
async function bind(shown, ...answers) {
  globalThis.document = new JSDOM(shown).window.document;
  let asked = 0;
  const ask = async () => {
    const answer = answers[Math.min(asked++, answers.length - 1)];
    if (!answer) {
      throw new TypeError("no network");
    }
    return new Response(answer);
  };
  await bindUnsettled({ ask, wait: async () => undefined });
  return asked;
}

test("an unsettled part is replaced once it is settled", async () => {
  assert.equal(await bind(UNSETTLED, null, UNSETTLED, SETTLED), 3);
  assert.equal(globalThis.document.getElementById("profile").outerHTML, SETTLED);
});

test("a settled page is not asked for again", async () => {
  assert.equal(await bind(SETTLED, SETTLED), 0);
});

test("what stays unsettled is not asked for without end", async () => {
  assert.equal(await bind(UNSETTLED, UNSETTLED), 8);
});
