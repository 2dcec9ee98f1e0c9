/** What is known of a match, and what it is about, is worked out without a page: static/match touches no DOM. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const ROOM = new URL("../../../static/match/", import.meta.url);
const COMMENT = /\/\*[^]*?\*\/|\/\/.*/g;
const PAGE = /\b(document|window|location|navigator|localStorage|sessionStorage|addEventListener|setTimeout|fetch)\b/;
/** What is known of the net, and how sentences are made; both are held to be as pure. */
const BELOW = ["../net/unsettled.js", "../words/sentences.js"];
const OUTSIDE = new RegExp(`from "(?!\\./|${BELOW.join("\"|").replaceAll(".", "\\.")}")`);

for (const name of [...readdirSync(ROOM), ...BELOW]) {
  test(`${name} knows no page`, () => {
    const code = readFileSync(new URL(name, ROOM), "utf8").replace(COMMENT, "");
    assert.doesNotMatch(code, PAGE);
    assert.doesNotMatch(code, OUTSIDE, "it imports from its own room alone, but for that");
  });
}
