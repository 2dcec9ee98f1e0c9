import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { orderedNews } from "../../../static/lobby/news.js";

/** What the page did, in order: "list 3", "change 4", "ask". */
let done;
let timers;
let news;

const world = {
  setTimeout: (what) => timers.push(what),
  clearTimeout: (timer) => {
    timers[timer - 1] = null;
  },
};

/** Let all the time pass that anybody waits for. */
function wait() {
  const due = timers;
  timers = [];
  due.forEach((what) => what?.());
}

const list = (number) => news.receive({ type: "lobby", number });
const change = (number) => news.receive({ type: "table", number });
const pong = (number) => news.receive({ type: "pong", number });

beforeEach(() => {
  done = [];
  timers = [];
  news = orderedNews(
    {
      onList: ({ number }) => done.push(`list ${number}`),
      onChange: ({ number }) => done.push(`change ${number}`),
      ask: () => done.push("ask"),
    },
    world,
  );
  news.begin();
});

test("changes after the list are applied as they come", () => {
  list(3);
  change(4);
  change(5);
  assert.deepEqual(done, ["list 3", "change 4", "change 5"]);
});

test("changes before the list wait for it", () => {
  change(4);
  list(3);
  assert.deepEqual(done, ["list 3", "change 4"]);
});

test("changes that the list knows of are dropped", () => {
  change(2);
  change(3);
  list(3);
  change(3);
  assert.deepEqual(done, ["list 3"]);
});

test("changes in the wrong order are put right, and nothing is asked", () => {
  list(3);
  change(6);
  change(5);
  change(4);
  wait();
  assert.deepEqual(done, ["list 3", "change 4", "change 5", "change 6"]);
});

test("a change that stays missing makes it ask for the list, once", () => {
  list(3);
  change(5);
  change(6);
  wait();
  assert.deepEqual(done, ["list 3", "ask"]);
});

test("the list that was asked for brings everything in order", () => {
  list(3);
  change(5);
  wait();
  change(6);
  list(5);
  assert.deepEqual(done, ["list 3", "ask", "list 5", "change 6"]);
});

for (const type of ["pong", "latest"]) {
  test(`a ${type} with a higher number shows that the last change was lost`, () => {
    list(3);
    news.receive({ type, number: 4 });
    wait();
    assert.deepEqual(done, ["list 3", "ask"]);
  });

  test(`a ${type} is no change`, () => {
    list(3);
    news.receive({ type, number: 4 });
    change(4);
    wait();
    assert.deepEqual(done, ["list 3", "change 4"]);
  });
}

test("an old pong means nothing", () => {
  list(3);
  pong(2);
  wait();
  assert.deepEqual(done, ["list 3"]);
});

test("a new connection begins with a new list, also of a lower number", () => {
  list(9);
  change(11);
  news.begin();
  wait();
  change(3);
  list(2);
  assert.deepEqual(done, ["list 9", "list 2", "change 3"]);
});

test("while the list that was asked for is on its way, a gap makes it ask again", () => {
  list(3);
  change(5);
  wait();
  change(6);
  wait();
  assert.deepEqual(done, ["list 3", "ask", "ask"]);
});
