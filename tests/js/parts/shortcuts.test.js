/** Which keys a match obeys anywhere on its page, and for whom. */

import assert from "node:assert/strict";
import { test } from "node:test";

class Element {
  /** @param {boolean} typing */
  constructor(typing) {
    this.typing = typing;
  }

  closest() {
    return this.typing ? this : null;
  }
}

const kept = new Map();
globalThis.localStorage = { getItem: (name) => kept.get(name) ?? null, setItem: (name, value) => kept.set(name, value) };
globalThis.document = new EventTarget();
globalThis.Element = Element;
globalThis.addEventListener ??= () => {};

const { bindKeys } = await import("../../../static/parts/shortcuts.js");
const { change } = await import("../../../static/parts/settings.js");

/** What is obeyed of a few keys, and whether the page kept each of them from the browser. */
function obeyed(keys, { typing = false, ctrlKey = false } = {}) {
  const heard = [];
  const unbind = bindKeys([(key) => heard.push(key) > 0]);
  for (const key of keys) {
    const event = Object.assign(new Event("keydown", { cancelable: true }), { key, ctrlKey });
    Object.defineProperty(event, "target", { value: new Element(typing) });
    globalThis.document.dispatchEvent(event);
    assert.equal(event.defaultPrevented, heard.at(-1) === key);
  }
  unbind();
  return heard;
}

test("a digit, a letter and an arrow are obeyed where nobody types", () => {
  assert.deepEqual(obeyed(["3", "r", "ArrowLeft"]), ["3", "r", "ArrowLeft"]);
  assert.deepEqual(obeyed(["3", "ArrowLeft"], { typing: true }), []);
});

test("keys of the browser are left to it", () => {
  assert.deepEqual(obeyed(["r"], { ctrlKey: true }), []);
});

test("signs do nothing once somebody has switched them off, from that moment on", () => {
  change("keys", "off");
  assert.deepEqual(obeyed(["3", "r", "/", "ArrowLeft", "Escape"]), ["ArrowLeft", "Escape"]);
  change("keys", "on");
  assert.deepEqual(obeyed(["3"]), ["3"]);
});
