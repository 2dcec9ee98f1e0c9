import assert from "node:assert/strict";
import test from "node:test";

import { followingLesson, handOver, lessonsDone, setLessons } from "../../../static/parts/courses.js";

const KEY = "parlour:courses";
const LESSONS = [{ isNew: true }, { isNew: true }, { isNew: false }];

/** @returns {Storage} */
function storage() {
  const kept = new Map();
  return /** @type {Storage} */ (/** @type {unknown} */ ({ getItem: (key) => kept.get(key) ?? null, setItem: (key, text) => kept.set(key, text) }));
}

test("a browser knows the lessons done of each course, which only grow", () => {
  const kept = storage();
  assert.equal(lessonsDone(kept, "kalah"), 0);
  setLessons(kept, "kalah", 2);
  setLessons(kept, "aces", 1);
  setLessons(kept, "kalah", 1);
  assert.equal(lessonsDone(kept, "kalah"), 2);
  assert.equal(lessonsDone(kept, "aces"), 1);
});

test("what is no number of lessons is none", () => {
  const kept = storage();
  for (const stored of ["{\"kalah\":\"x\"}", "nonsense"]) {
    kept.setItem(KEY, stored);
    assert.equal(lessonsDone(kept, "kalah"), 0);
  }
  assert.equal(lessonsDone(null, "kalah"), 0);
});

test("a course goes on where one left it, and after its end with the first lesson", () => {
  assert.equal(followingLesson(0, LESSONS), 0);
  assert.equal(followingLesson(1, LESSONS), 1);
  assert.equal(followingLesson(3, LESSONS), 0);
  assert.equal(followingLesson(9, LESSONS), 0);
});

test("a lesson that goes on from the one before begins with that one", () => {
  assert.equal(followingLesson(2, LESSONS), 1);
});

/** Answer all requests like a server. @param {import("node:test").TestContext} t @param {{ok: boolean}} response @param {() => void} [meanwhile] */
function answered(t, response, meanwhile = () => {}) {
  /** @type {string[]} */
  const sent = [];
  globalThis.document = /** @type {any} */ ({ cookie: "" });
  t.after(() => Reflect.deleteProperty(globalThis, "document"));
  t.mock.method(globalThis, "fetch", async (/** @type {string} */ address, /** @type {RequestInit} */ { body }) => {
    sent.push(`${address} ${body}`);
    meanwhile();
    return { ...response, json: async () => null };
  });
  return sent;
}

test("an account takes over what the browser knows", async (t) => {
  const kept = storage();
  setLessons(kept, "kalah", 2);
  setLessons(kept, "aces", 1);
  const sent = answered(t, { ok: true });
  await handOver(kept, "/courses");
  assert.deepEqual(sent, ["/courses kalah=2&aces=1"]);
  assert.equal(lessonsDone(kept, "kalah"), 0);
  await handOver(kept, "/courses");
  assert.equal(sent.length, 1);
});

test("the browser remembers what no account has taken over", async (t) => {
  const kept = storage();
  setLessons(kept, "kalah", 2);
  await handOver(kept, undefined);
  const sent = answered(t, { ok: false });
  await handOver(kept, "/courses");
  assert.equal(sent.length, 1);
  assert.equal(lessonsDone(kept, "kalah"), 2);
});

test("the browser remembers the lesson done while the account takes over those before", async (t) => {
  const kept = storage();
  setLessons(kept, "kalah", 2);
  answered(t, { ok: true }, () => setLessons(kept, "kalah", 3));
  await handOver(kept, "/courses");
  assert.equal(lessonsDone(kept, "kalah"), 3);
});
