import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { getJson } from "../../../static/net/json.js";

const { fetch } = globalThis;
afterEach(() => {
  globalThis.fetch = fetch;
});

/** @type {[string, () => Promise<Response>, import("../../../static/net/json.js").Answer][]} */
const answers = [
  ["JSON", async () => Response.json({ ply: 4 }), { ok: true, status: 200, told: { ply: 4 } }],
  ["a refusal", async () => Response.json({ detail: "No." }, { status: 409 }), { ok: false, status: 409, told: { detail: "No." } }],
  ["nothing but a status", async () => new Response(null, { status: 204 }), { ok: true, status: 204, told: null }],
  ["a page of a proxy", async () => new Response("<p>", { status: 502 }), { ok: false, status: 502, told: null }],
  ["no network", () => Promise.reject(new TypeError()), { ok: false, status: 0, told: null }],
];

for (const [what, answer, expected] of answers) {
  test(`request answered by ${what}`, async () => {
    globalThis.fetch = answer;
    assert.deepEqual(await getJson("/m/abc"), expected);
  });
}
