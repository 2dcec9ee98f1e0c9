import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.gettext = (sentence) => sentence;
globalThis.ngettext = (one, many, count) => (count === 1 ? one : many);
globalThis.interpolate = (sentence, words) => sentence.replace(/%\((\w+)\)s/g, (_, word) => String(words[word]));

const board = await import("../../../static/boards/morris.js");
const { walk } = await import("../../../static/board/keyboard.js");

const BOARDS = { three: 24, two: 16, diagonals: 24 };

const SPARSE = `
  W-----.-----B
  | W---.---. |
  | | .-B-. | |
  .-.-W   .-.-.
  | | .-.-. | |
  | .---B---W |
  B-----.-----.`;

/** White has just closed the mill on the top rank; black has a mill on the b-file and a man on d1. */
const MILL = `
  W-----W-----W
  | B---.---. |
  | | .-.-. | |
  .-B-.   .-.-.
  | | .-.-. | |
  | B---.---W |
  .-----B-----.`;

const points = (picture) => [...picture].filter((letter) => "WB.".includes(letter)).join("");

function position(picture, { options = {}, ...rest } = {}) {
  return {
    options: { board: "three", men: 9, early_slides: false, flying: true, ...options },
    turn: 0,
    board: points(picture),
    hand: [0, 0],
    takes: 0,
    ended: null,
    ...rest,
  };
}

const empty = (name) => position(".".repeat(BOARDS[name]), { options: { board: name, men: 6 }, hand: [6, 6] });

const view = (changes = {}) => ({
  seat: 0,
  bottom: 0,
  names: ["Otter", "Fox"],
  legal: [],
  selection: null,
  preview: null,
  last: null,
  outcome: null,
  narrow: false,
  ...changes,
});

const flat = (shapes) => shapes.flatMap((shape) => [shape, ...(typeof shape.children === "string" ? [] : flat(shape.children))]);
const cellsOf = (state, look) => flat(board.draw(state, look)).filter(({ cell }) => cell).map(({ cell }) => cell);
const cellOf = (name, state, look) => cellsOf(state, look).find((cell) => cell.name === name);
const drawnAt = (name, state, look) => flat(board.draw(state, look)).find(({ cell }) => cell?.name === name);
const marks = (key, state, look) =>
  flat(board.draw(state, look)).filter(({ cell, children }) => cell && children.some?.((child) => child.key === key)).map(({ cell }) => cell.name);
const wordsOf = (state, look) => flat(board.draw(state, look)).filter(({ tag }) => tag === "text").map(({ children }) => children).join(" ");

// The board

test("points are counted as the rules count them", () => {
  const named = (name) => cellsOf(empty(name), view()).map((cell) => cell.name).filter((cell) => !cell.startsWith("hand"));
  const three = "a7 d7 g7 b6 d6 f6 c5 d5 e5 a4 b4 c4 e4 f4 g4 c3 d3 e3 b2 d2 f2 a1 d1 g1";
  assert.equal(named("three").join(" "), three);
  assert.equal(named("diagonals").join(" "), three);
  assert.equal(named("two").join(" "), "a5 c5 e5 b4 c4 d4 a3 b3 d3 e3 b2 c2 d2 a1 c1 e1");
});

for (const [name, count] of Object.entries(BOARDS)) {
  for (const narrow of [false, true]) {
    for (const bottom of [0, 1]) {
      test(`every place of ${name} can be walked to (${narrow ? "narrow" : "wide"}, seen by ${bottom})`, () => {
        const look = view({ narrow, bottom });
        const walked = new Set(board.cells(empty(name), look).flat().filter(Boolean));
        const drawn = cellsOf(empty(name), look).map((cell) => cell.name);
        assert.equal(walked.size, count + 2);
        assert.deepEqual([...walked].sort(), drawn.sort());
      });
    }
  }
}

test("arrow keys walk along the lines", () => {
  const rows = board.cells(empty("three"), view());
  const at = (name) => {
    const row = rows.findIndex((cells) => cells.includes(name));
    return [row, rows[row].indexOf(name)];
  };
  const go = (name, ...step) => {
    const [row, column] = walk(rows, at(name), step);
    return rows[row][column];
  };
  assert.equal(go("a7", 0, 1), "d7");
  assert.equal(go("d7", 1, 0), "d6");
  assert.equal(go("b6", 0, 1), "d6");
  assert.equal(go("a4", 0, 1), "b4");
  assert.equal(go("g4", -1, 0), "g7");
  assert.equal(go("a4", 0, -1), "hand1");
});

test("the letters and numbers at the edge lie free of the men", () => {
  for (const name of Object.keys(BOARDS)) {
    for (const narrow of [false, true]) {
      const full = { ...empty(name), board: "W".repeat(BOARDS[name]), hand: [0, 0] };
      const shapes = board.draw(full, view({ narrow, legal: [] }));
      const marked = shapes.find(({ key }) => key === "names").children;
      const men = flat(shapes).filter(({ key, attrs }) => key === "man" && attrs.transform);
      for (const { attrs: { transform } } of men) {
        const [, x, y, r] = transform.match(/translate\(([\d.]+) ([\d.]+)\) scale\(([\d.]+)\)/).map(Number);
        for (const { attrs } of marked) {
          // The shade of a man reaches furthest below it; letters are a little lower than half their type.
          const [wide, high] = [attrs["font-size"] * 0.35, attrs["font-size"] * 0.4];
          assert.ok(Math.abs(attrs.x - x) > r * 1.03 + wide || attrs.y - high > y + r * 1.16, `${name} ${narrow} ${attrs.key}`);
        }
      }
    }
  }
});

test("points never lie closer than a thumb on a phone", () => {
  for (const name of Object.keys(BOARDS)) {
    const look = view({ narrow: true });
    const [width] = board.viewBox(empty(name), look);
    for (const { box } of cellsOf(empty(name), look)) {
      assert.ok((Math.min(box[2], box[3]) * 360) / width >= 44);
    }
  }
});

test("who sits opposite sees the board from there", () => {
  const corner = (bottom) => cellOf("a1", position(SPARSE), view({ bottom })).box;
  assert.ok(corner(0)[0] < corner(1)[0]);
  assert.ok(corner(0)[1] > corner(1)[1]);
  assert.equal(board.cells(position(SPARSE), view({ bottom: 1 }))[0].find((name) => name?.length === 2), "g1");
});

test("everything drawn is a shape in the colours of the site", () => {
  const states = [position(SPARSE), position(MILL, { takes: 1 }), position(MILL, { ended: {} }), empty("two"), empty("diagonals")];
  const looks = [view(), view({ legal: ["xd1"] }), view({ legal: ["a7-a4"], selection: "a7", narrow: true })];
  for (const shape of states.flatMap((state) => looks.flatMap((look) => flat(board.draw(state, look))))) {
    assert.equal(typeof shape.tag, "string");
    for (const name of ["fill", "stroke", "stop-color"]) {
      assert.match(shape.attrs[name] ?? "none", /^(none|var\(--[\w-]+\)|url\(#morris-[\w-]+\))$/);
    }
  }
});

test("siblings are told apart by their keys", () => {
  const check = (shapes) => {
    const keys = shapes.map(({ key }) => key).filter((key) => key !== undefined);
    assert.equal(new Set(keys).size, keys.length);
    shapes.filter(({ children }) => typeof children !== "string").forEach(({ children }) => check(children));
  };
  check(board.draw(position(SPARSE, { options: { men: 9 }, hand: [3, 2] }), view({ legal: ["a4"] })));
});

test("white and black men differ in form, not in colour alone", () => {
  const form = (name) => flat(drawnAt(name, position(SPARSE), view()).children).map(({ tag, attrs }) => [tag, attrs.d]);
  assert.notDeepEqual(form("a7"), form("g7"));
});

/** The sockets of a rail: a man in hand, an empty one, or the cross of a man that was lost. */
const railOf = (seat, state) => drawnAt(`hand${seat}`, state, view()).children.flatMap(({ key, children }) => {
  if (String(key).startsWith("hand")) {
    return "m";
  }
  return String(key).startsWith("socket") ? (flat(children).some(({ attrs }) => /^M-0.42/.test(attrs.d)) ? "x" : "o") : [];
}).join("");

test("rails show the men of a side in hand and those lost", () => {
  const state = position(SPARSE, { hand: [3, 2] });
  assert.equal(railOf(0, state), "mmmooooxx");
  assert.equal(railOf(1, state), "mmooooxxx");
  assert.equal(cellOf("hand0", state, view()).label, "Your men in hand: 3. Men you have lost: 2.");
  assert.equal(cellOf("hand1", state, view()).label, "Fox’s men in hand: 2. Men Fox has lost: 3.");
  assert.equal(board.tally(state, 0), "7 men");
});

test("there are no words on the board but the names of files and ranks", () => {
  assert.equal(wordsOf(position(MILL, { takes: 1 }), view({ legal: ["xd1"] })).replace(/\b[a-g1-7]\b/g, "").trim(), "");
});

// What can be done

test("empty points are marked while men are placed", () => {
  const look = view({ legal: ["d7", "a4"] });
  assert.deepEqual(marks("place", position(SPARSE, { hand: [1, 1] }), look), ["d7", "a4"]);
  assert.equal(cellOf("a4", position(SPARSE, { hand: [1, 1] }), look).label, "a4, empty, a man can be placed here");
});

test("men that can move are marked, then where they can go", () => {
  const legal = ["a7-a4", "a7-d7", "b6-b4"];
  assert.deepEqual(marks("lift", position(SPARSE), view({ legal })), ["a7", "b6"]);
  const chosen = view({ legal, selection: "a7" });
  assert.deepEqual(marks("hold", position(SPARSE), chosen), ["a7"]);
  assert.deepEqual(marks("arrive", position(SPARSE), chosen), ["d7", "a4"]);
  assert.equal(cellOf("d7", position(SPARSE), chosen).label, "d7, empty, can be moved to");
  assert.equal(cellOf("a7", position(SPARSE), chosen).label, "a7, your white man, selected");
});

test("a mill says that a man must be taken, and which", () => {
  const [state, look] = [position(MILL, { takes: 1 }), view({ legal: ["xd1"] })];
  assert.deepEqual(marks("take", state, look), ["d1"]);
  assert.equal(cellOf("d1", state, look).label, "d1, Fox’s black man, can be taken");
  assert.equal(cellOf("b4", state, look).label, "b4, Fox’s black man, in a mill");
});

// Presses

const pick = (cell, legal, { state = position(SPARSE), selection = null } = {}) =>
  board.pick(cell, selection, legal, state, view({ legal, selection }));

test("pressing an empty point places a man", () => {
  assert.deepEqual(pick("a4", ["a4", "d7"]), { move: "a4" });
});

test("pressing a man and then a point slides it", () => {
  const legal = ["a7-a4"];
  assert.deepEqual(pick("a7", legal), { selection: "a7" });
  assert.deepEqual(pick("a4", legal, { selection: "a7" }), { move: "a7-a4" });
});

test("pressing another man selects that one and says why it did no more, the same man lets it go", () => {
  const legal = ["a7-a4", "b6-b4"];
  assert.deepEqual(pick("b6", legal, { selection: "a7" }), {
    selection: "b6",
    refusal: "Your man on b6 is now selected.",
  });
  assert.deepEqual(pick("b6", legal), { selection: "b6" });
  assert.deepEqual(pick("a7", legal, { selection: "a7" }), { selection: null });
});

test("the tray can be pressed or dragged from while men are in hand", () => {
  assert.deepEqual(pick("hand0", ["a4"]), { selection: "hand0" });
  assert.deepEqual(pick("a4", ["a4"], { selection: "hand0" }), { move: "a4" });
  assert.deepEqual(pick("hand0", ["a4"], { selection: "hand0" }), { selection: null });
  assert.ok(board.held("hand0", position(SPARSE), view({ legal: ["a4"] })));
});

test("only men that can move are dragged", () => {
  const look = view({ legal: ["a7-a4"] });
  assert.ok(board.held("a7", position(SPARSE), look));
  for (const cell of ["b6", "g7", "d7", "hand0", "hand1"]) {
    assert.equal(board.held(cell, position(SPARSE), look), null);
  }
});

test("pressing an opposing man takes it when a mill was closed", () => {
  assert.deepEqual(pick("d1", ["xd1"], { state: position(MILL, { takes: 1 }) }), { move: "xd1" });
});

const REFUSALS = [
  ["an opposing man's point", "g7", {}, "Your opponent’s man is on g7."],
  ["an opposing man's point with a man", "g7", { selection: "a7" }, "Your opponent’s man is on g7."],
  ["an empty point before a man", "d7", {}, "Choose one of your men first, then where it goes."],
  ["a point no line leads to", "g1", { selection: "a7" }, "No line joins a7 and g1."],
  ["a man that is shut in", "c4", {}, "The man on c4 cannot move: every point next to it is taken."],
  ["a man while others are in hand", "a7", { legal: ["d7"], state: position(SPARSE, { hand: [1, 1] }) }, "Your own man is on a7. Place all your men first: choose an empty point."],
  ["one's own man that is shut in, with another one", "c4", { selection: "a7" }, "Your man on c4 cannot move: every point next to it is taken."],
  ["the tray when it is empty", "hand0", {}, "You have no men left to place."],
  ["the other tray", "hand1", {}, "These are your opponent’s men."],
  ["an empty point when a man must be taken", "d6", { taking: true }, "You closed a mill: take one of your opponent’s men."],
  ["one's own man when one must be taken", "f2", { taking: true }, "The man on f2 is your own. Take one of your opponent’s."],
  ["a man in a mill", "b4", { taking: true }, "The man on b4 is safe in a mill."],
];

for (const [what, cell, { taking, ...given }, sentence] of REFUSALS) {
  test(`pressing ${what} says why not`, () => {
    const { legal = ["a7-a4"], ...rest } = taking ? { legal: ["xd1"], state: position(MILL, { takes: 1 }) } : given;
    assert.deepEqual(pick(cell, legal, rest), { refusal: sentence });
  });
}

/** Positions of every phase with what is legal there, as the rules say it. */
const PHASES = [
  ["placing", position(SPARSE, { hand: [1, 1] }), ["d7", "g4", "g1"]],
  ["placing or sliding", position(SPARSE, { hand: [1, 1], options: { early_slides: true } }), ["d7", "g4", "a7-a4", "a7-d7", "b6-d6"]],
  ["sliding", position(SPARSE), ["a7-a4", "a7-d7", "b6-d6", "f2-f4"]],
  ["flying", position(SPARSE.replace("W---.---.", ".---.---.")), ["a7-d7", "a7-g1", "c4-d7", "c4-g1", "f2-d7", "f2-g1"]],
  ["taking", position(MILL, { takes: 1 }), ["xd1"]],
];

for (const [phase, state, legal] of PHASES) {
  test(`whatever is pressed while ${phase} moves, takes up what may move, or says why not`, () => {
    const starts = legal.filter((move) => move.includes("-")).map((move) => move.split("-")[0]);
    for (const selection of [null, ...new Set(starts)]) {
      for (const { name } of cellsOf(state, view({ legal, selection }))) {
        const { move, selection: chosen, refusal } = pick(name, legal, { state, selection });
        const taken = selection === null || name.startsWith("hand") ? chosen === name : name === selection && chosen === null;
        assert.ok(legal.includes(move) || taken || refusal, `${name} after ${selection} is silent`);
      }
    }
  });
}

// Motion

const settled = (event, state) => {
  const { flying, lit, ...last } = board.motion(event, state, view()).at(-1).state;
  return last;
};

test("a placed man flies from the rail", () => {
  const before = position(SPARSE, { hand: [2, 2] });
  const event = { kind: "placed", seat: 0, point: "d7" };
  const frames = board.motion(event, before, view());
  assert.equal(frames.at(-1).fly.length, 1);
  assert.deepEqual(settled(event, before), { ...before, hand: [1, 2], board: points(SPARSE.replace("W-----.", "W-----W")) });
});

test("a sliding man is lifted off before it lands", () => {
  const event = { kind: "slid", seat: 0, start: "a7", to: "d7" };
  const [lifted] = board.motion(event, position(SPARSE), view());
  assert.equal(lifted.ms, 0);
  assert.equal(lifted.state.board[0], ".");
  assert.equal(settled(event, position(SPARSE)).board, points(SPARSE.replace("W-----.", ".-----W")));
});

test("a flying man takes a higher way than a sliding one", () => {
  const arc = (kind) => board.motion({ kind, seat: 0, start: "a7", to: "d7" }, position(SPARSE), view()).at(-1).fly[0].arc;
  assert.ok(arc("flew") > arc("slid"));
});

test("a mill flashes and leaves the board as it was", () => {
  const event = { kind: "milled", seat: 0, mills: [["a7", "d7", "g7"]], takes: 1 };
  const frames = board.motion(event, position(MILL), view());
  assert.ok(frames.some(({ flash }) => flash?.join() === "a7,d7,g7"));
  assert.deepEqual(settled(event, position(MILL)), position(MILL));
});

test("a man on its way is neither lost nor taken already", () => {
  const event = { kind: "removed", seat: 0, point: "d1" };
  const lost = board.motion(event, position(MILL), view()).map(({ state }) => railOf(1, state));
  assert.deepEqual(lost, ["ooooxxxxx", "ooooxxxxx", "oooxxxxxx"]);
});

test("what is not shown moves nothing", () => {
  assert.deepEqual(board.motion({ kind: "left", seat: 0 }, position(SPARSE), view()), []);
});

// Sentences

const NARRATED = [
  [{ kind: "placed", seat: 0, point: "d6" }, "You placed a man on d6.", "Otter placed a man on d6."],
  [{ kind: "slid", seat: 0, start: "d6", to: "d5" }, "You slid a man from d6 to d5.", "Otter slid a man from d6 to d5."],
  [{ kind: "flew", seat: 0, start: "d6", to: "a1" }, "You flew a man from d6 to a1.", "Otter flew a man from d6 to a1."],
  [{ kind: "milled", seat: 0, mills: [], takes: 1 }, "You closed a mill: take a man.", "Otter closed a mill and takes a man."],
  [{ kind: "milled", seat: 0, mills: [], takes: 2 }, "You closed two mills: take 2 men.", "Otter closed two mills and takes 2 men."],
  [{ kind: "milled", seat: 0, mills: [], takes: 0 }, "You closed a mill, but no man can be taken.", "Otter closed a mill, but no man can be taken."],
  [{ kind: "removed", seat: 0, point: "d1" }, "You took the man on d1.", "Otter took your man on d1."],
];

for (const [event, mine, theirs] of NARRATED) {
  test(`${mine}`, () => {
    assert.equal(board.narrate(event, view()), mine);
    assert.equal(board.narrate(event, view({ seat: 1 })), theirs);
  });
}

test("watchers are not told that a man was theirs", () => {
  assert.equal(board.narrate({ kind: "removed", seat: 0, point: "d1" }, view({ seat: null })), "Otter took the man on d1.");
});

test("what there is to choose from is told, and where a selected man can go", () => {
  const prompt = (changes) => board.prompt(position(SPARSE), view(changes));
  assert.equal(prompt({ legal: ["a1", "d1", "g1"] }), "Place a man on a1, d1 or g1.");
  assert.equal(prompt({ legal: ["a1", "a4", "a7", "b2", "b4", "b6", "c3"] }), "Place a man on any of the 7 empty points.");
  assert.equal(prompt({ legal: ["xa1", "xd1"] }), "Take the man on a1 or d1.");
  assert.equal(prompt({ legal: ["a1-a4", "a1-d1", "g1-g4"] }), "Move the man on a1 or g1.");
  assert.equal(prompt({ legal: ["a1-a4", "a1-d1", "g1-g4"], selection: "a1" }), "The man on a1 can go to a4 or d1.");
  assert.equal(prompt({ legal: ["d5", "a1-a4"] }), "Place a man on d5. Or move the man on a1.");
  assert.equal(prompt({}), "");
});

test("the position in words", () => {
  assert.equal(
    board.summary(position(MILL, { takes: 1, hand: [0, 2] }), view()),
    "You are white: a7, d7, g7 and f2; in hand: 0. Fox is black: b6, b4, b2 and d1; in hand: 2. Take a man.",
  );
});

test("why a game ended", () => {
  const why = (reason, winners) => board.result({ reason, winners }, view());
  assert.equal(why("reduced", [0]), "Fox has only two men left.");
  assert.equal(why("blocked", [1]), "You have no legal moves.");
  for (const reason of ["repetition", "fifty", "full"]) {
    assert.match(why(reason, [0, 1]), /\.$/);
  }
  assert.equal(why("resigned", [0]), "");
});

test("the fact of the end is a double mill, else who closed how many", () => {
  const mill = (seat, ...mills) => ({ action: "d1", dice: null, events: [{ kind: "milled", seat, mills, takes: mills.length }] });
  const row = ["a7", "d7", "g7"];
  assert.equal(board.fact([], view()), "");
  assert.equal(board.fact([mill(0, row)], view()), "You closed 1 mill, Fox 0.");
  assert.equal(board.fact([mill(0, row), mill(1, row), mill(1, row)], view({ seat: null })), "Otter closed 1 mill, Fox 2.");
  const double = [mill(0, row), mill(1, row, ["d7", "d6", "d5"])];
  assert.equal(board.fact(double, view()), "Fox closed two mills with one man.");
  assert.equal(board.fact(double, view({ seat: 1 })), "You closed two mills with one man.");
});
