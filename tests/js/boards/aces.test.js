import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.gettext = (sentence) => sentence;
globalThis.ngettext = (one, many, count) => (count === 1 ? one : many);
globalThis.interpolate = (sentence, values) => sentence.replace(/%\((\w+)\)s/g, (_, name) => values[name]);

const board = await import("../../../static/boards/aces.js");

const NAMES = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal"];

function position(dice, more = {}) {
  const options = { dice: 5, may_stop: false, last_ace: "wins" };
  const present = dice.map(() => true);
  return { options, turn: 0, dice, present, centre: 3, throws: 0, due: false, ended: null, ...more };
}

function look(seats, more = {}) {
  const common = { seat: 0, bottom: 0, legal: [], selection: null, last: null, outcome: null, preview: null };
  return { ...common, names: NAMES.slice(0, seats), narrow: false, ...more };
}

const crowd = (seats) => position(Array.from({ length: seats }, (_, seat) => Array(5).fill((seat % 6) + 1)));

/** Every shape, however deep. */
function all(shapes) {
  return shapes.flatMap((shape) => [shape, ...(typeof shape.children === "string" ? [] : all(shape.children))]);
}

const places = (state, view) => all(board.draw(state, view)).flatMap((shape) => (shape.cell ? [shape.cell] : []));
const words = (state, view) => all(board.draw(state, view)).filter(({ tag }) => tag === "text").map(({ children }) => children);
const play = (event, state, view) => board.motion(event, state, view).at(-1).state;
const flights = (event, state, view) => board.motion(event, state, view).flatMap(({ fly = [] }) => fly);
const overlap = ([ax, ay, aw, ah], [bx, by, bw, bh]) =>
  Math.min(ax + aw, bx + bw) - Math.max(ax, bx) > 2 && Math.min(ay + ah, by + bh) - Math.max(ay, by) > 2;

/** How far a point is outside of a length without its ends. */
const beyond = (point, from, length, end) => Math.max(from + end - point, point - (from + length - end), 0);

for (const narrow of [true, false]) {
  for (let seats = 2; seats <= 8; seats += 1) {
    const where = `${seats} seats on a ${narrow ? "phone" : "wide page"}`;
    const view = look(seats, { narrow });
    const boxes = places(crowd(seats), view).map(({ box }) => box);

    test(`every place of ${where} is inside the board`, () => {
      const [width, height] = board.viewBox(crowd(seats), view);
      for (const [x, y, w, h] of boxes) {
        assert.ok(x >= 0 && y >= 0 && x + w <= width && y + h <= height);
      }
    });

    test(`every place of ${where} lies within the rim`, () => {
      const [, { attrs: felt }] = board.draw(crowd(seats), view).find(({ key }) => key === "table").children;
      for (const [x, y, w, h] of boxes) {
        for (const [px, py] of [[x, y], [x + w, y], [x, y + h], [x + w, y + h]]) {
          // How far the point is beyond the middles of the rounded corners.
          const [dx, dy] = [beyond(px, felt.x, felt.width, felt.rx), beyond(py, felt.y, felt.height, felt.rx)];
          assert.ok(Math.hypot(dx, dy) <= felt.rx, `${px}, ${py}`);
        }
      }
    });

    test(`places of ${where} do not cover each other`, () => {
      boxes.forEach((one, i) => boxes.slice(i + 1).forEach((other) => assert.ok(!overlap(one, other), `${one} ${other}`)));
    });

    test(`the last throw at ${where} lies free of every place and of the arrow at it`, () => {
      const last = { events: [{ kind: "thrown", seat: 1, faces: [1, 2, 3, 4, 5] }] };
      const shapes = all(board.draw(crowd(seats), look(seats, { narrow, last })));
      const row = shapes.find(({ key }) => key === "last-throw").children;
      const size = narrow ? 15 : 18;
      for (const { attrs } of row) {
        const [, x, y] = attrs.transform.match(/translate\(([\d.]+) ([\d.]+)\)/).map(Number);
        const box = [x - size / 2, y - size / 2, size, size + 10];
        assert.ok(boxes.slice(1).every((each) => !overlap(box, each)), `${box}`);
      }
    });

    test(`places of ${where} are large enough for a thumb`, () => {
      assert.ok(boxes.every(([, , w, h]) => w >= 52 && h >= 52));
    });
  }
}

test("the next seat is to the left of the nearest, the one before to its right", () => {
  const [, near, next, , last] = places(crowd(4), look(4));
  assert.ok(next.box[0] < near.box[0]);
  assert.ok(last.box[0] > near.box[0]);
});

test("the board is turned to the seat that looks at it", () => {
  const [, , second] = places(crowd(3), look(3, { bottom: 1 }));
  const [, first] = places(crowd(3), look(3));
  assert.deepEqual(second.box, first.box);
});

test("any number of dice stays in its tray", () => {
  const state = position([Array(48).fill(6), []]);
  const view = look(2, { narrow: true });
  const [left, top, width, height] = places(state, view)[1].box;
  const dice = board.motion({ kind: "handedover", seat: 0, to: 1, count: 48 }, state, view).at(-1).fly;
  for (const { from: [x, y] } of dice) {
    assert.ok(x > left && x < left + width && y > top && y < top + height);
  }
});

test("every key among siblings is its own", () => {
  const state = position([[1, 2, 5], [4, 4, 0]], { landing: 0 });
  for (const { children } of all(board.draw(state, look(2)))) {
    const keys = Array.isArray(children) ? children.map(({ key }) => key).filter((key) => key !== undefined) : [];
    assert.equal(new Set(keys).size, keys.length);
  }
});

test("a seat says its name, its dice and their faces", () => {
  const [, seat] = places(position([[3, 4, 0], [6]], { turn: 1 }), look(2));
  assert.equal(seat.label, "You, 3 dice, showing 3 4");
  const [, ann] = places(position([[3, 4, 0], [6]], { turn: 1 }), look(2, { seat: null }));
  assert.equal(ann.label, "Ann, 3 dice, showing 3 4");
});

test("a seat that may throw says so and is playable", () => {
  const [, seat] = places(position([[3], [6]]), look(2, { legal: ["roll"] }));
  assert.equal(seat.label, "You, 1 die, showing 3, your turn, press to roll");
  assert.equal(seat.playable, true);
});

test("the turn is told to those who watch", () => {
  const state = position([[3], [6]], { turn: 1 });
  assert.equal(places(state, look(2))[2].label, "Bo, 1 die, showing 6, to move");
});

test("who left says so", () => {
  const state = position([[3], [6], []], { present: [true, true, false] });
  assert.equal(places(state, look(3))[3].label, "Cy, has left");
});

test("the centre counts", () => {
  assert.equal(places(position([[3], [6]]), look(2))[0].label, "Centre: 3 of 10");
});

test("the last throw stays on the table when it was not seen to fall", () => {
  const last = { events: [{ kind: "thrown", seat: 1, faces: [1, 2, 6] }] };
  const shown = all(board.draw(position([[3], [6]]), look(2, { last }))).find(({ key }) => key === "last-throw");
  assert.equal(shown.children.length, 1 + 3);
});

test("a finished table is made of shapes alone", () => {
  const ended = { winners: [1], reason: "last-ace", scores: [] };
  for (const shape of all(board.draw(position([[], []], { centre: 10, ended }), look(2)))) {
    assert.equal(typeof shape.tag, "string");
  }
});

test("the winner has a star in place of a mark", () => {
  const ended = { winners: [1], reason: "last-ace", scores: [] };
  const marks = all(board.draw(position([[], []], { centre: 10, ended }), look(2))).filter(({ key }) => key === "mark");
  assert.equal(marks.length, 1);
});

test("the table says where ones, twos and fives go, but not on a small board", () => {
  const told = words(position([[3], [6]]), look(2));
  assert.ok(["centre", "left", "right"].every((word) => told.includes(word)));
  assert.deepEqual(words(position([[3], [6]]), look(2, { small: true })), []);
});

test("dice that nobody has thrown show faces that stay", () => {
  const pips = (state) => all(board.draw(state, look(2))).find(({ key }) => key === "die-0").children.length - 2;
  assert.deepEqual([pips(position([[0], [6]])), pips(position([[0], [6]], { due: true }))], [3, 0]);
});

test("arrow keys walk from the nearest seat in the middle to its left and right", () => {
  assert.deepEqual(board.cells(crowd(4), look(4, { bottom: 1 }))[1], ["seat-3", "seat-2", "seat-1", "seat-0"]);
});

test("every place can be walked to", () => {
  const walked = new Set(board.cells(crowd(5), look(5)).flat());
  assert.deepEqual(walked, new Set(places(crowd(5), look(5)).map(({ name }) => name)));
});

test("pressing one's own dice throws them", () => {
  assert.deepEqual(board.pick("seat-0", null, ["roll"], crowd(2), look(2)), { move: "roll" });
});

test("pressing anything else says what to press", () => {
  for (const cell of ["seat-1", "centre"]) {
    assert.deepEqual(Object.keys(board.pick(cell, null, ["roll"], crowd(2), look(2))), ["refusal"]);
  }
});

test("the throw button counts the dice", () => {
  const [button] = board.controls(position([[3], [6]]), look(2, { legal: ["roll"] }));
  assert.equal(button.label, "Roll 1 die");
});

test("stopping has its own button", () => {
  const buttons = board.controls(crowd(2), look(2, { legal: ["roll", "stop"] }));
  assert.deepEqual(buttons.map(({ move, hotkey }) => [move, hotkey]), [["roll", "r"], ["stop", "s"]]);
});

test("there are no buttons when there is nothing to decide", () => {
  assert.deepEqual(board.controls(crowd(2), look(2)), []);
});

const THROWN = { kind: "thrown", seat: 0, faces: [1, 2, 5, 4] };
const BEFORE = position([[0, 0, 0, 0], [3], [6]]);

test("dice tumble and end on the server's faces", () => {
  const frames = board.motion(THROWN, BEFORE, look(3));
  assert.ok(frames.length > 4);
  assert.deepEqual(frames.at(-1).state.dice, [[1, 2, 5, 4], [3], [6]]);
});

test("a throw tumbles the same way on every screen", () => {
  assert.deepEqual(board.motion(THROWN, BEFORE, look(3)), board.motion(THROWN, BEFORE, look(3)));
});

test("a throw with all its events takes less than three seconds", () => {
  const events = [THROWN, { kind: "centred", seat: 0, count: 1, in_play: 5 }, { kind: "passed", seat: 0, to: 1, count: 1, side: "left" },
    { kind: "passed", seat: 0, to: 2, count: 1, side: "right" }, { kind: "turnended", seat: 0, next: 1, why: "no-dice" }];
  let state = BEFORE;
  let total = 0;
  for (const event of events) {
    for (const frame of board.motion(event, state, look(3))) {
      total += frame.ms;
      state = frame.state;
    }
  }
  assert.ok(total < 3000, String(total));
});

test("ones fly to the centre", () => {
  const event = { kind: "centred", seat: 0, count: 1, in_play: 5 };
  const thrown = play(THROWN, BEFORE, look(3));
  assert.equal(play(event, thrown, look(3)).centre, 4);
  assert.equal(flights(event, thrown, look(3)).length, 1);
});

test("twos fly to the left and fives to the right", () => {
  const view = look(3);
  const left = { kind: "passed", seat: 0, to: 1, count: 1, side: "left" };
  const right = { kind: "passed", seat: 0, to: 2, count: 1, side: "right" };
  const thrown = play(THROWN, BEFORE, view);
  const landed = play(right, play(left, thrown, view), view);
  assert.deepEqual(landed.dice.slice(1), [[3, 2], [6, 5]]);
  assert.ok(flights(left, thrown, view)[0].to[0] < flights(right, thrown, view)[0].to[0]);
});

test("dice that stay keep their places while others fly", () => {
  const event = { kind: "centred", seat: 0, count: 1, in_play: 5 };
  assert.deepEqual(play(event, play(THROWN, BEFORE, look(3)), look(3)).dice[0], [null, 2, 5, 4]);
});

test("dice under way are in nobody's count", () => {
  const event = { kind: "centred", seat: 0, count: 1, in_play: 5 };
  assert.equal(board.tally(play(event, play(THROWN, BEFORE, look(3)), look(3)), 0, look(3)), "3 dice");
});

test("each die flies from where it lies to where it will lie", () => {
  const event = { kind: "passed", seat: 0, to: 1, count: 1, side: "left" };
  const view = look(3);
  const thrown = play(THROWN, BEFORE, view);
  const die = (state, seat, nth) =>
    all(board.draw(state, view)).find(({ key }) => key === `seat-${seat}`).children.find(({ key }) => key === `die-${nth}`);
  const [{ from, to }] = flights(event, thrown, view);
  assert.ok(die(thrown, 0, 1).attrs.transform.startsWith(`translate(${from.join(" ")})`));
  assert.ok(die(play(event, thrown, view), 1, 1).attrs.transform.startsWith(`translate(${to.join(" ")})`));
});

test("the dice of a seat that left fly to its neighbour", () => {
  const landed = play({ kind: "handedover", seat: 0, to: 1, count: 4 }, BEFORE, look(3));
  assert.deepEqual(landed.dice, [[], [3, 0, 0, 0, 0], [6]]);
});

test("leaving empties the seat on the board", () => {
  assert.deepEqual(play({ kind: "left", seat: 1, reason: "time" }, BEFORE, look(3)).present, [true, false, true]);
});

test("the turn moves on", () => {
  assert.equal(play({ kind: "turnended", seat: 0, next: 2, why: "no-dice" }, BEFORE, look(3)).turn, 2);
});

const SENTENCES = [
  [THROWN, "Ann rolled 1 2 5 4."],
  [{ kind: "centred", seat: 0, count: 1, in_play: 5 }, "1 ace went to the centre; dice in play: 5."],
  [{ kind: "passed", seat: 0, to: 1, count: 2, side: "left" }, "2 twos went left to Bo."],
  [{ kind: "passed", seat: 0, to: 2, count: 1, side: "right" }, "1 five went right to Cy."],
  [{ kind: "handedover", seat: 0, to: 1, count: 4 }, "4 of Ann’s dice went to Bo."],
  [{ kind: "turnended", seat: 0, next: 1, why: "nothing-moved" }, "Nothing moved. Bo is next."],
  [{ kind: "turnended", seat: 0, next: 1, why: "no-dice" }, "Ann has no dice left. Bo is next."],
  [{ kind: "turnended", seat: 0, next: 1, why: "stopped" }, "Ann stopped. Bo is next."],
  [{ kind: "turnended", seat: 0, next: 1, why: "left" }, "Bo is next."],
  [{ kind: "left", seat: 0, reason: "time" }, ""],
];

for (const [event, sentence] of SENTENCES) {
  test(`is told: ${sentence || `nothing of ${event.kind}`}`, () => {
    assert.equal(board.narrate(event, look(3, { seat: null }), BEFORE), sentence);
  });
}

const TO_ME = [
  [THROWN, 0, "You rolled 1 2 5 4."],
  [{ kind: "passed", seat: 0, to: 1, count: 2, side: "left" }, 1, "2 twos went left to you."],
  [{ kind: "passed", seat: 0, to: 2, count: 1, side: "right" }, 2, "1 five went right to you."],
  [{ kind: "handedover", seat: 0, to: 1, count: 4 }, 1, "4 of Ann’s dice went to you."],
  [{ kind: "handedover", seat: 0, to: 1, count: 4 }, 0, "4 of your dice went to Bo."],
  [{ kind: "turnended", seat: 0, next: 1, why: "nothing-moved" }, 1, "Nothing moved."],
  [{ kind: "turnended", seat: 1, next: 1, why: "nothing-moved" }, 1, "Nothing moved. You are next."],
  [{ kind: "turnended", seat: 0, next: 1, why: "no-dice" }, 0, "You have no dice left. Bo is next."],
  [{ kind: "turnended", seat: 0, next: 1, why: "stopped" }, 0, "You stopped. Bo is next."],
];

for (const [event, seat, sentence] of TO_ME) {
  test(`is told to whom it concerns: ${sentence}`, () => {
    assert.equal(board.narrate(event, look(3, { seat }), BEFORE), sentence);
  });
}

test("on the table I am no name to myself", () => {
  const state = position([[3], [6]], { ended: { winners: [0], reason: "last-ace", scores: [] } });
  const mine = words(state, look(2));
  assert.deepEqual([mine.includes("You"), mine.includes("Ann")], [true, false]);
});

test("who tries moves for a seat is not that seat", () => {
  const tried = words(position([[3], [6]]), look(2, { legal: ["roll"], visitor: true }));
  assert.deepEqual([tried.includes("You"), tried.includes("Ann")], [false, true]);
});

test("the position in words names every seat and the centre, and leaves the turn to the page", () => {
  const sentence = board.summary(position([[3, 0], []]), look(2, { legal: ["roll"] }));
  assert.equal(sentence, "You, 2 dice, showing 3; Bo, no dice; Centre: 3 of 10.");
});

test("nobody is to throw once the players have ended the match", () => {
  const view = look(2, { outcome: { winners: [1], reason: "ended", scores: [] } });
  const state = position([[3, 0], [6]]);
  assert.equal(board.summary(state, view), "You, 2 dice, showing 3; Bo, 1 die, showing 6; Centre: 3 of 10.");
  assert.ok(!all(board.draw(state, view)).some(({ key }) => key === "pointer"));
});

test("a seat's tally is its dice", () => {
  assert.equal(board.tally(position([[3, 4], []]), 0, look(2)), "2 dice");
});

test("the result says what the last ace did", () => {
  const state = position([[], []], { turn: 1, centre: 10 });
  const told = (seat) => board.result({ winners: [1], reason: "last-ace", scores: [] }, look(2, { seat }), state);
  assert.equal(told(0), "Bo sent the last die to the centre.");
  assert.equal(told(1), "You sent the last die to the centre.");
});

test("throws stand in the move list by their faces", () => {
  assert.equal(board.notation({ action: "dice", dice: [1, 2, 5] }), "[1 2 5]");
  assert.equal(board.notation({ action: "roll", dice: null }), "");
});

test("the fact of the end is the throw with most aces", () => {
  const centred = (seat, count) => ({ action: "dice", dice: [1], events: [{ kind: "centred", seat, count, in_play: 9 }] });
  assert.equal(board.fact([centred(0, 2), centred(1, 3), centred(0, 3)], look(2)), "Best roll: 3 aces at once, by Bo.");
  assert.equal(board.fact([centred(0, 2), centred(1, 3)], look(2, { seat: 1 })), "Your best roll: 3 aces at once.");
  assert.equal(board.fact([centred(0, 1)], look(2)), "");
});

test("what is to be decided is told", () => {
  const prompt = (dice, legal) => board.prompt(position([dice, [2]]), look(2, { legal }));
  assert.equal(prompt([0, 0, 0], ["roll"]), "Roll 3 dice.");
  assert.equal(prompt([3], ["roll", "stop"]), "Roll 1 die, or stop.");
  assert.equal(prompt([3], []), "");
});
