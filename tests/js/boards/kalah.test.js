import assert from "node:assert/strict";
import { test } from "node:test";

import "../catalogue.js";

const kalah = await import("../../../static/boards/kalah.js");

const state = (board, more = {}) => ({
  options: { pits: board.length / 2 - 1, seeds: 4, sow_both_stores: false, empty_capture: false, pie: false },
  turn: 0,
  board,
  swapper: null,
  ended: null,
  ...more,
});
const START = state([4, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 0]);
const look = (more = {}) => ({
  seat: 0,
  bottom: 0,
  names: ["Ann", "Bo"],
  legal: ["1", "2", "3", "4", "5", "6"],
  selection: null,
  preview: null,
  last: null,
  outcome: null,
  narrow: false,
  ...more,
});
const all = (shapes) =>
  shapes.flatMap((shape) => [shape, ...(typeof shape.children === "string" ? [] : all(shape.children))]);
const cellsOf = (position, view) => all(kalah.draw(position, view)).flatMap(({ cell }) => (cell ? [cell] : []));
const cell = (name, position = START, view = look()) => cellsOf(position, view).find((c) => c.name === name);
const middle = ({ box: [x, y, w, h] }) => [x + w / 2, y + h / 2];

test("every place of the board can be reached", () => {
  assert.deepEqual(cellsOf(START, look()).map(({ name }) => Number(name)).sort((a, b) => a - b), [...Array(14).keys()]);
});

for (const narrow of [true, false]) {
  test(`two digits of a store stay away from the mark beside them (narrow: ${narrow})`, () => {
    const full = state([0, 0, 0, 0, 0, 0, 24, 0, 0, 0, 0, 0, 0, 24]);
    const groups = all(kalah.draw(full, look({ narrow, legal: [] }))).filter(({ key }) => key === "words");
    const stores = groups.filter(({ children }) => children.some(({ key }) => key === "owner"));
    assert.equal(stores.length, 2);
    for (const { children: [mark, count] } of stores) {
      const [[x, r], [middle, scale]] = [mark, count].map(({ attrs }) =>
        attrs.transform.match(/translate\(([\d.]+) .*scale\(([\d.]+)/).slice(1).map(Number));
      // A mark with its halo, and two digits with the breadth of their strokes.
      assert.ok(middle - scale * 5.4 - (x + r * 1.35) > 1.5);
    }
  });
}

test("every place stands in the rows for walking", () => {
  assert.deepEqual(kalah.cells(START, look()), [
    ["13", "12", "11", "10", "9", "8", "7", "6"],
    ["13", "0", "1", "2", "3", "4", "5", "6"],
  ]);
});

test("the second player's own pits are the bottom row", () => {
  assert.deepEqual(kalah.cells(START, look({ seat: 1, bottom: 1 }))[1], ["6", "7", "8", "9", "10", "11", "12", "13"]);
});

test("sowing runs counter-clockwise: own pits to the right, the other side to the left", () => {
  const x = (name) => middle(cell(name))[0];
  assert.ok(x("0") < x("5") && x("5") < x("6"));
  assert.ok(x("7") > x("12") && x("12") > x("13"));
});

test("own pits are at the bottom whoever looks", () => {
  for (const seat of [0, 1]) {
    const view = look({ seat, bottom: seat });
    const [own, other] = seat === 0 ? ["0", "7"] : ["7", "0"];
    assert.ok(middle(cell(own, START, view))[1] > middle(cell(other, START, view))[1]);
  }
});

test("opposite pits stand above each other", () => {
  assert.equal(Math.round(middle(cell("1"))[0]), Math.round(middle(cell("11"))[0]));
});

test("nothing stands outside the view box", () => {
  for (const narrow of [false, true]) {
    for (const pits of [1, 4, 5, 6]) {
      const position = state(Array(2 * pits + 2).fill(5));
      const view = look({ narrow });
      const [width, height] = kalah.viewBox(position, view);
      for (const { box: [x, y, w, h] } of cellsOf(position, view)) {
        assert.ok(x >= 0 && y >= 0 && x + w <= width && y + h <= height);
      }
    }
  }
});

test("the board keeps its size as seeds move", () => {
  assert.deepEqual(kalah.viewBox(START, look()), kalah.viewBox(state(Array(14).fill(1)), look({ legal: [] })));
});

test("every number of seeds stands clear of the others, of the pits and of the stores", () => {
  for (const narrow of [false, true]) {
    const shapes = kalah.draw(state(Array(14).fill(24)), look({ narrow, legal: [] }));
    const numbers = all(shapes).filter(({ key }) => key === "count").map(({ attrs }) =>
      attrs.transform.match(/[\d.]+/g).map(Number)).map(([x, y, scale]) => [x - scale * 5.4, y - scale * 3.6, scale * 10.8, scale * 7.2]);
    const rooms = shapes.flatMap(({ cell }) => (cell ? [cell.box] : [])).filter(([, , w, h]) => w !== h || !narrow);
    const apart = ([x, y, w, h], [a, b, c, d]) => x + w <= a || a + c <= x || y + h <= b || b + d <= y;
    for (const [nth, one] of numbers.entries()) {
      assert.ok([...numbers.slice(nth + 1), ...rooms].every((other) => apart(one, other)), `${narrow} ${nth}`);
    }
  }
});

test("as many seeds are drawn as lie on the board", () => {
  const seeds = all(kalah.draw(START, look())).filter(({ tag }) => tag === "use");
  assert.equal(seeds.length, 48);
});

test("seeds lie inside their pit, however many", () => {
  const full = state([40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  const [x, y, w, h] = cell("0", full).box;
  for (const { attrs } of all(kalah.draw(full, look())).filter(({ tag }) => tag === "use")) {
    const [sx, sy] = attrs.transform.match(/-?[\d.]+/g).map(Number);
    assert.ok(sx > x && sx < x + w && sy > y && sy < y + h);
  }
});

test("a seed more does not move the seeds that lie there", () => {
  const places = (count) =>
    all(kalah.draw(state([count, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]), look()))
      .filter(({ tag }) => tag === "use")
      .map(({ attrs }) => attrs.transform);
  assert.deepEqual(places(9).slice(0, 8), places(8));
});

test("labels say whose, which, how many and whether it can be sown", () => {
  assert.equal(cell("2").label, "Your pit 3: 4 seeds, can be sown");
  assert.equal(cell("7").label, "Bo’s pit 1: 4 seeds");
  assert.equal(cell("6").label, "Your store: 0 seeds");
  assert.equal(cell("0", state([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])).label, "Your pit 1: 1 seed, can be sown");
});

test("only legal pits are marked as playable", () => {
  const view = look({ legal: ["2", "5"] });
  assert.deepEqual(cellsOf(START, view).filter(({ playable }) => playable).map(({ name }) => name), ["1", "4"]);
});

test("own pits have their number as a key, whoever looks", () => {
  assert.equal(cell("9", START, look({ seat: 1, bottom: 1 })).hotkey, "3");
  assert.equal(cell("9").hotkey, undefined);
});

test("a watcher has no keys", () => {
  assert.ok(cellsOf(START, look({ seat: null, legal: [] })).every(({ hotkey }) => hotkey === undefined));
});

test("a press on a legal pit is a move", () => {
  assert.deepEqual(kalah.pick("2", null, look().legal, START, look()), { move: "3" });
  assert.deepEqual(kalah.pick("9", null, look().legal, START, look({ seat: 1, bottom: 1 })), { move: "3" });
});

test("a press anywhere else explains itself", () => {
  assert.match(kalah.pick("7", null, ["1"], START, look()).refusal, /Bo’s/);
  assert.match(kalah.pick("6", null, ["1"], START, look()).refusal, /store/);
  assert.match(kalah.pick("2", null, ["1"], START, look()).refusal, /empty/);
});

test("swapping sides is offered where it is legal", () => {
  assert.deepEqual(kalah.controls(START, look({ legal: ["1", "swap"] })).map(({ move }) => move), ["swap"]);
  assert.deepEqual(kalah.controls(START, look()), []);
});

/** Play the events of a ply as frames and return the boards seen on the way. */
function boards(events, position, view = look()) {
  let now = position;
  const seen = [];
  for (const event of events) {
    for (const frame of kalah.motion(event, now, view)) {
      now = frame.state;
      seen.push(now.board);
    }
  }
  return seen;
}

test("seeds are sown one by one along the path", () => {
  const seen = boards([{ kind: "sown", seat: 0, start: 4, path: [5, 6, 7, 8] }], START);
  assert.deepEqual(seen, [
    [4, 4, 4, 4, 0, 4, 0, 4, 4, 4, 4, 4, 4, 0],
    [4, 4, 4, 4, 0, 5, 0, 4, 4, 4, 4, 4, 4, 0],
    [4, 4, 4, 4, 0, 5, 1, 4, 4, 4, 4, 4, 4, 0],
    [4, 4, 4, 4, 0, 5, 1, 5, 4, 4, 4, 4, 4, 0],
    [4, 4, 4, 4, 0, 5, 1, 5, 5, 4, 4, 4, 4, 0],
  ]);
});

test("every seed in the hand flies until it is sown", () => {
  const frames = kalah.motion({ kind: "sown", seat: 0, start: 4, path: [5, 6, 7, 8] }, START, look());
  const flying = frames.map((frame) => all((frame.fly ?? []).map(({ shape }) => shape)).filter(({ tag }) => tag === "use").length);
  assert.deepEqual(flying, [0, 4, 3, 2, 1]);
});

test("a lap may pass the pit it started from", () => {
  const position = state([0, 0, 13, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  const path = [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0, 1, 2];
  assert.deepEqual(boards([{ kind: "sown", seat: 0, start: 2, path }], position).at(-1), [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0]);
});

test("a capture takes both pits to the store", () => {
  const position = state([0, 0, 1, 0, 0, 0, 5, 0, 0, 7, 0, 0, 0, 2]);
  const seen = boards([{ kind: "captured", seat: 0, pit: 2, opposite: 9, seeds: 8 }], position).at(-1);
  assert.deepEqual(seen, [0, 0, 0, 0, 0, 0, 13, 0, 0, 0, 0, 0, 0, 2]);
});

test("the last seeds are swept into their owner's store", () => {
  const position = state([0, 0, 0, 0, 0, 0, 20, 1, 0, 2, 0, 0, 0, 10]);
  const seen = boards([{ kind: "swept", seat: 1, pits: [7, 9], seeds: 3 }], position).at(-1);
  assert.deepEqual(seen, [0, 0, 0, 0, 0, 0, 20, 0, 0, 0, 0, 0, 0, 13]);
});

test("swapping turns the board round", () => {
  const position = state([1, 2, 3, 4, 5, 6]);
  assert.deepEqual(boards([{ kind: "swapped", seat: 1 }], position).at(-1), [4, 5, 6, 1, 2, 3]);
});

test("events without motion and unknown ones do nothing", () => {
  assert.deepEqual(kalah.motion({ kind: "turnkept", seat: 0 }, START, look()), []);
  assert.deepEqual(kalah.motion({ kind: "left", seat: 0, reason: "resigned" }, START, look()), []);
});

test("moves are told in the past tense, to players and to watchers", () => {
  const sown = { kind: "sown", seat: 1, start: 9, path: [10, 11] };
  assert.equal(kalah.narrate(sown, look(), START), "Bo sowed 2 seeds from pit 3.");
  assert.equal(kalah.narrate(sown, look({ seat: 1 }), START), "You sowed 2 seeds from pit 3.");
});

test("the position is told from the listener's side", () => {
  assert.equal(
    kalah.summary(START, look()),
    "Your pits from 1: 4, 4, 4, 4, 4 and 4; your store: 0. Bo’s pits from 1: 4, 4, 4, 4, 4 and 4; store: 0.",
  );
});

test("the result counts the seeds", () => {
  const outcome = { winners: [0], reason: "swept", scores: [25, 23] };
  assert.equal(kalah.result(outcome, look()), "You collected 25 seeds, Bo 23.");
  assert.equal(kalah.result(outcome, look({ seat: 1 })), "You collected 23 seeds, Ann 25.");
  assert.equal(kalah.result(outcome, look({ seat: null })), "Ann collected 25 seeds, Bo 23.");
});

test("what can be sown is told", () => {
  const prompt = (...legal) => kalah.prompt(START, look({ legal }));
  assert.equal(prompt("1", "2", "3", "4", "5", "6"), "Sow any of your pits.");
  assert.equal(prompt("1", "3", "6"), "Sow pit 1, 3 or 6.");
  assert.equal(prompt("2"), "Sow pit 2.");
  assert.equal(prompt("1", "2", "swap"), "Sow pit 1 or 2. Or swap sides.");
  assert.equal(prompt(), "");
});

const advice = (board, legal = ["1", "2", "3", "4", "5", "6"], seat = 0, events = []) =>
  kalah.coach(state(board), look({ seat, legal }), events);

test("a newcomer is advised to sow into the store", () => {
  const told = advice([4, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 0]);
  assert.equal(told.move, "3");
  assert.match(told.words, /^Start here/);
  assert.equal(told.told, "The last seed of pit 3 lands in your store.");
});

test("after that they hear why they move again", () => {
  const told = advice([4, 4, 0, 5, 5, 5, 1, 4, 4, 4, 4, 4, 4, 0], ["1", "2", "4", "5", "6"], 0, [{ kind: "turnkept", seat: 0 }]);
  assert.equal(told.words, "Last seed in your store: you move again!");
});

test("a capture is advised before anything else", () => {
  const told = advice([2, 0, 0, 3, 0, 0, 9, 0, 0, 0, 5, 0, 0, 9], ["1", "4"]);
  assert.equal(told.move, "1");
  assert.match(told.words, /captures/);
  assert.equal(told.told, "Pit 1 ends in an empty pit and captures.");
});

test("nothing is captured from an empty pit, or in a pit of the other side", () => {
  assert.equal(advice([2, 0, 0, 0, 0, 9, 9, 0, 0, 0, 0, 0, 0, 9], ["1", "6"]), null);
});

test("the second seat is advised alike", () => {
  const told = advice([4, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 0], ["1", "2", "3", "4", "5", "6"], 1);
  assert.equal(told.move, "3");
});

// Numbers of pits

const CIRCLE = { ...START.options, sow_both_stores: true };
const number = (options, pits) => kalah.moveName("2", { ...START, options, turn: 1 }, look({ pits }));

test("pits are counted round the board where the opponent's store is sown, unless somebody wants it otherwise", () => {
  assert.deepEqual([undefined, "auto", "round", "side"].map((pits) => number(CIRCLE, pits)), ["8", "8", "8", "2"]);
  assert.deepEqual([undefined, "auto", "round", "side"].map((pits) => number(START.options, pits)), ["2", "2", "8", "2"]);
});

test("with fewer pits than six a side each side counts its own", () => {
  const small = state([4, 4, 4, 4, 0, 4, 4, 4, 4, 0], { turn: 1 });
  assert.equal(kalah.moveName("2", small, look({ pits: "round" })), "2");
});

test("the first player's pits are 1 to 6 either way", () => {
  assert.equal(kalah.moveName("2", { ...START, options: CIRCLE }, look()), "2");
});

test("the keys, the labels and the sentences of the second player say 7 to 12", () => {
  const position = { ...START, options: CIRCLE, turn: 1 };
  const view = look({ seat: 1, bottom: 1 });
  const pit = cell("8", position, view);
  assert.deepEqual([pit.hotkey, pit.label], ["8", "Your pit 8: 4 seeds, can be sown"]);
  assert.equal(kalah.prompt(position, { ...view, legal: ["1", "6"] }), "Sow pit 7 or 12.");
  assert.match(kalah.summary(position, view), /^Your pits from 7: .* Ann’s pits from 1: /);
  const sown = { kind: "sown", seat: 1, start: 11, path: [12, 13] };
  assert.equal(kalah.narrate(sown, view, position), "You sowed 2 seeds from pit 11.");
  assert.equal(kalah.notation({ action: "5", dice: null, events: [sown] }, view, position), "11");
});

test("a typed number is a pit as it is shown; anything else is left to the server", () => {
  const position = { ...START, options: CIRCLE, turn: 1 };
  assert.deepEqual(kalah.typedMove("9", position, look()), { move: "9" });
  assert.deepEqual(kalah.typedMove("3", position, look()), { refusal: "Pit 3 is not yours. Yours are 7 to 12." });
  assert.deepEqual(kalah.typedMove("9", position, look({ pits: "side" })), { refusal: "Pit 9 is not yours. Yours are 1 to 6." });
  assert.deepEqual(kalah.typedMove("swap", position, look()), { move: "swap" });
});

test("each pit has its number, for those who want to see it", () => {
  const all = (shapes) => shapes.flatMap((shape) => [shape, ...(Array.isArray(shape.children) ? all(shape.children.filter(Boolean)) : [])]);
  const numbers = all(kalah.draw(state([4, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 0]), look({ seat: 0, legal: ["1", "2"] })));
  assert.equal(numbers.filter(({ attrs }) => attrs.class === "board-key").length, 2);
  assert.equal(numbers.filter(({ attrs }) => attrs.class === "board-place").length, 10);
});
