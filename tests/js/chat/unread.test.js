import assert from "node:assert/strict";
import { test } from "node:test";

import { openUnread } from "../../../static/chat/unread.js";

const line = (id, room = "players", name = "Ulno") => ({ id, room, name });

function storage(stored = {}) {
  return {
    getItem: (name) => stored[name] ?? null,
    setItem: (name, value) => {
      stored[name] = value;
    },
  };
}

test("what nobody has seen is new, what I said is not", () => {
  const unread = openUnread("talk", storage());
  assert.equal(unread.count([line(1), line(2), line(3, "players", "Me")], "Me"), 2);
});

test("what was seen is new no more, and what comes later is", () => {
  const unread = openUnread("talk", storage());
  unread.see([line(1), line(2)]);
  assert.equal(unread.count([line(1), line(2)], ""), 0);
  assert.equal(unread.count([line(1), line(2), line(5)], ""), 1);
});

test("older lines of a room that opens late are new", () => {
  const unread = openUnread("talk", storage());
  unread.see([line(9)]);
  assert.equal(unread.count([line(4, "watchers"), line(5, "watchers")], ""), 2);
});

test("seeing old lines again makes nothing new", () => {
  const unread = openUnread("talk", storage());
  unread.see([line(9)]);
  unread.see([line(3)]);
  assert.equal(unread.count([line(8)], ""), 0);
});

test("a reload remembers", () => {
  const kept = storage();
  openUnread("talk", kept).see([line(2)]);
  assert.equal(openUnread("talk", kept).count([line(2), line(3)], ""), 1);
});

for (const [what, store] of [
  ["no storage", null],
  ["nonsense in the storage", storage({ talk: "{" })],
  ["something else in the storage", storage({ talk: "5" })],
]) {
  test(`${what} makes everything new, and no error`, () => {
    const unread = openUnread("talk", store);
    assert.equal(unread.count([line(1)], ""), 1);
    unread.see([line(1)]);
    assert.equal(unread.count([line(1)], ""), 0);
  });
}
