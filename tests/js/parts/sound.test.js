import assert from "node:assert/strict";
import { test } from "node:test";

import "../catalogue.js";

const { SOUNDS, VOLUMES, createSounds, soundOf } = await import("../../../static/parts/sound.js");
const { PATTERNS, createVibration } = await import("../../../static/parts/vibration.js");

/** A browser's sound as far as a knock needs it, noting the pitch, the beginning and the loudness of what is played. */
function world(hasBeenActive = true) {
  const played = [];
  const parameter = (note = () => {}) => ({ setValueAtTime: note, exponentialRampToValueAtTime() {} });
  const node = (more) => ({ connect: (next) => next, ...more });
  class AudioContext {
    currentTime = 0;
    destination = {};
    resume() {}
    createBiquadFilter() {
      return node({ frequency: parameter() });
    }
    createOscillator() {
      const tone = {};
      played.push(tone);
      return node({ frequency: parameter((pitch, at) => Object.assign(tone, { pitch, at })), start() {}, stop() {} });
    }
    createGain() {
      const gain = { setValueAtTime() {}, exponentialRampToValueAtTime: (to) => (played.at(-1).loud ??= to) };
      return node({ gain });
    }
  }
  return { played, navigator: { userActivation: { hasBeenActive } }, AudioContext };
}

test("a move makes a sound for whoever wants one", () => {
  const here = world();
  createSounds({ wanted: () => true }, here)("place");
  assert.equal(here.played.length, 1);
});

test("nobody hears anything they did not ask for", () => {
  const here = world();
  createSounds({ wanted: () => false }, here)("place");
  assert.deepEqual(here.played, []);
});

test("before anything was pressed a browser would refuse, so it is not asked", () => {
  const here = world(false);
  createSounds({ wanted: () => true }, here)("place");
  assert.deepEqual(here.played, []);
});

test("little time left sounds twice", () => {
  const here = world();
  createSounds({ wanted: () => true }, here)("low-time");
  assert.equal(here.played.length, 2);
});

test("a sound may come later, and as loud as was chosen", () => {
  const here = world();
  createSounds({ wanted: () => true, volume: () => VOLUMES.soft }, here)("place", 0.5);
  assert.deepEqual(here.played, [{ pitch: 330, at: 0.5, loud: VOLUMES.soft }]);
  assert.ok(VOLUMES.soft < VOLUMES.normal && VOLUMES.normal < VOLUMES.loud);
});

test("no two sounds are alike, and all are short and not shrill", () => {
  const patterns = Object.values(SOUNDS).map((tones) => JSON.stringify(tones));
  assert.equal(new Set(patterns).size, patterns.length);
  for (const [name, tones] of Object.entries(SOUNDS)) {
    assert.ok(Math.max(...tones.flatMap(({ from, to }) => [from, to])) <= 700, `${name} is shrill`);
    assert.ok(Math.max(...tones.map(({ after, seconds }) => after + seconds)) <= 1, `${name} is long`);
    assert.ok(tones.every(({ type }) => ["sine", "triangle"].includes(type)), `${name} is harsh`);
  }
});

test("a board says what its events sound like; a game without a table has a sound as well", () => {
  assert.equal(soundOf({ sounds: { sown: "seed" } }, "sown"), "seed");
  assert.equal(soundOf({}, "marked"), "place");
  assert.equal(soundOf({ sounds: { marked: "trumpet" } }, "marked"), "place");
  assert.equal(soundOf({ sounds: {} }, "left"), "leave");
});

/** A phone, noting how it trembles. */
function phone(hasBeenActive = true) {
  const felt = [];
  return { felt, navigator: { userActivation: { hasBeenActive }, vibrate: (pattern) => felt.push(pattern) } };
}

test("a phone trembles for a turn, a capture and a win, and for nothing else", () => {
  const here = phone();
  const tremble = createVibration(() => true, here);
  Object.keys(SOUNDS).forEach(tremble);
  assert.deepEqual(here.felt, [PATTERNS.capture, PATTERNS["your-turn"], PATTERNS.win]);
});

test("a phone keeps still for who switched it off, and before anything was pressed", () => {
  const [off, untouched] = [phone(), phone(false)];
  createVibration(() => false, off)("win");
  createVibration(() => true, untouched)("win");
  assert.deepEqual([...off.felt, ...untouched.felt], []);
});

test("where nothing can tremble nothing goes wrong", () => {
  createVibration(() => true, { navigator: { userActivation: { hasBeenActive: true } } })("win");
});
