import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import "../catalogue.js";
import { bindWhy } from "../../../static/actions/why.js";

const { fetch } = globalThis;
afterEach(() => {
  globalThis.fetch = fetch;
});

/** A button in a menu that is open, and all that becomes of pressing it. */
function page(answer) {
  const seen = { asked: [], told: [], closed: 0 };
  /** @type {() => void} */
  let press = () => undefined;
  const opener = {
    dataset: { address: "/m/abc/why" },
    closest: () => ({ close: () => (seen.closed += 1) }),
    addEventListener: (_kind, listener) => (press = listener),
  };
  globalThis.fetch = async (address) => {
    seen.asked.push(address);
    return answer();
  };
  const key = bindWhy(opener, { ply: () => 4, tell: (words) => seen.told.push(words) });
  return { seen, key, press: () => press() };
}

const said = () => Response.json({ ply: 4, words: "There was no other move." });

test("what the server says of the ply that is looked at is told, and the menu closes", async () => {
  const { seen, press } = page(said);
  await press();
  assert.deepEqual(seen, { asked: ["/m/abc/why?ply=4"], told: ["There was no other move."], closed: 1 });
});

test("a key asks as well, and no other", async () => {
  const { seen, key } = page(said);
  assert.equal(key("x"), false);
  assert.equal(key("W"), true);
  await new Promise((done) => setImmediate(done));
  assert.deepEqual(seen.told, ["There was no other move."]);
});

test("without an answer that is said", async () => {
  const failing = [() => new Response("", { status: 503 }), () => Promise.reject(new TypeError("no network"))];
  for (const answer of failing) {
    const { seen, press } = page(answer);
    await press();
    assert.match(seen.told[0], /Cannot reach the computer/);
  }
});
