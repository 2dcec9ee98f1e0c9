import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { MOST, chatLines } from "../../../static/chat/lines.js";

const line = (id, name = "Ulno") => ({ id, name, text: `line ${id}`, at: "2026-11-21T11:00:00+00:00" });
const ids = () => lines.shown().map(({ id }) => id);

let lines;

beforeEach(() => {
  lines = chatLines();
  lines.replace({ lines: [line(3), line(5)], silenced: ["Loud"], heard: null });
});

test("a new line comes last", () => {
  assert.equal(lines.add(line(6)), true);
  assert.deepEqual(ids(), [3, 5, 6]);
});

test("a line that comes late has its place by its number", () => {
  lines.add(line(4));
  assert.deepEqual(ids(), [3, 4, 5]);
});

test("a line that comes twice is there once and is no news", () => {
  assert.equal(lines.add(line(5)), false);
  assert.deepEqual(ids(), [3, 5]);
});

test("the list of a new connection stands for everything before it", () => {
  lines.add(line(6));
  lines.replace({ lines: [line(5), line(7)], silenced: [], heard: null });
  assert.deepEqual(ids(), [5, 7]);
});

test("lines of somebody who is silenced are not shown and are no news", () => {
  assert.equal(lines.add(line(6, "Loud")), false);
  assert.deepEqual(ids(), [3, 5]);
});

test("silencing somebody hides their lines at once", () => {
  lines.silence(["Ulno"]);
  assert.deepEqual(ids(), []);
});

test("a hidden line goes, and comes back to its place", () => {
  lines.drop(3);
  assert.deepEqual(ids(), [5]);
  lines.add(line(3));
  assert.deepEqual(ids(), [3, 5]);
});

test("another name is the name of all their lines, and keeps them silenced", () => {
  lines.add(line(6, "Loud"));
  lines.rename("Ulno", "Artjom");
  lines.rename("Loud", "Quiet");
  assert.deepEqual(
    lines.shown().map(({ name }) => name),
    ["Artjom", "Artjom"],
  );
});

test("the oldest lines are forgotten", () => {
  for (let id = 10; id < 10 + MOST; id += 1) {
    lines.add(line(id));
  }
  assert.equal(ids().length, MOST);
  assert.equal(ids()[0], 10);
});

test("who hears some people alone sees no lines of others, under whatever name", () => {
  lines.replace({ lines: [line(3)], silenced: [], heard: ["Ulno", "Friend"] });
  assert.deepEqual([lines.add(line(6, "Friend")), lines.add(line(7, "Other"))], [true, false]);
  lines.rename("Friend", "Dear-Friend");
  lines.rename("Other", "Some-Other");
  assert.deepEqual(ids(), [3, 6]);
});
