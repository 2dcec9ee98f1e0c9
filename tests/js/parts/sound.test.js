import assert from "node:assert/strict";
import { test } from "node:test";

import "../catalogue.js";

const { createSounds } = await import("../../../static/parts/sound.js");

/** A browser's sound as far as a knock needs it, counting what is played. */
function world(hasBeenActive = true) {
  const played = [];
  const parameter = () => ({ setValueAtTime() {}, exponentialRampToValueAtTime() {} });
  class AudioContext {
    currentTime = 0;
    destination = {};
    resume() {}
    createOscillator() {
      return { frequency: parameter(), connect: (next) => next, start: () => played.push("tone"), stop() {} };
    }
    createGain() {
      return { gain: parameter(), connect() {} };
    }
  }
  return { played, navigator: { userActivation: { hasBeenActive } }, AudioContext };
}

test("a move makes a sound for whoever wants one", () => {
  const here = world();
  createSounds(() => true, here)("move");
  assert.deepEqual(here.played, ["tone"]);
});

test("nobody hears anything they did not ask for", () => {
  const here = world();
  createSounds(() => false, here)("move");
  assert.deepEqual(here.played, []);
});

test("before anything was pressed a browser would refuse, so it is not asked", () => {
  const here = world(false);
  createSounds(() => true, here)("move");
  assert.deepEqual(here.played, []);
});

test("little time left sounds twice", () => {
  const here = world();
  createSounds(() => true, here)("low-time");
  assert.deepEqual(here.played, ["tone", "tone"]);
});
