import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

globalThis.gettext = (sentence) => sentence;
globalThis.ngettext = (one, many, count) => (count === 1 ? one : many);
globalThis.interpolate = (sentence, words) => sentence.replace(/%\((\w+)\)s/g, (_, word) => String(words[word]));

const board = await import("../../../static/boards/cantstop.js");

/** A row of spaces from the ones that are not 0. */
const row = (spaces, empty = 0) => Array.from({ length: 13 }, (_, column) => spaces[column] ?? empty);

function position({ runners = {}, cones = [{}, {}], claimed = {}, topped = "strict", ...rest } = {}) {
  return {
    options: { topped },
    turn: 0,
    cones: cones.map((spaces) => row(spaces)),
    runners: row(runners),
    owners: row(claimed, null),
    present: cones.map(() => true),
    dice: [],
    due: false,
    ended: null,
    ...rest,
  };
}

const view = (changes = {}) => ({
  seat: 0,
  bottom: 0,
  names: ["Otter", "Fox", "Hare", "Mole"],
  legal: [],
  selection: null,
  preview: null,
  last: null,
  outcome: null,
  narrow: false,
  ...changes,
});

const all = (shapes) => shapes.flatMap((shape) => [shape, ...(Array.isArray(shape.children) ? all(shape.children) : [])]);
const drawn = (state, look) => all(board.draw(state, look));
const keys = (state, look) => drawn(state, look).map(({ key }) => key);
const words = (state, look) => drawn(state, look).filter(({ tag }) => tag === "text").map(({ children }) => children);
const labels = (state, look) =>
  Object.fromEntries(drawn(state, look).filter(({ cell }) => cell).map(({ cell }) => [cell.name, cell.label]));
const last = (...events) => ({ number: 3, seat: null, action: "dice", events });

// Drawing

for (const seats of [2, 3, 4]) {
  test(`the names of ${seats} players keep their letters and lie beside the mountain`, () => {
    const names = ["Dashing-Flamingo", "Candid-Bobcat", "Hasty-Lizard", "Sharp-Yak"].slice(0, seats);
    const shapes = drawn(position({ cones: names.map(() => ({})) }), view({ names }));
    const shown = shapes.filter(({ children }) => names.includes(children));
    assert.deepEqual(shown.map(({ children }) => children), names);
    assert.ok(shown.every(({ attrs }) => !attrs.textLength));
    const signs = [8, 9, 10].map((column) => shapes.find(({ key }) => key === `column-${column}`).cell.box);
    for (const { children: [{ attrs: box }] } of shapes.filter(({ key }) => /^seat-\d$/.test(String(key)))) {
      assert.ok(signs.every(([x, y, width]) => box.y + box.height <= y + 6 || box.x >= x + width));
    }
  });
}

test("the columns are the places of the board, from 2 to 12", () => {
  const names = drawn(position(), view()).flatMap(({ cell }) => cell?.name ?? []);
  assert.deepEqual([names], board.cells(position(), view()));
});

for (const narrow of [false, true]) {
  test(`everything lies within the ${narrow ? "narrow" : "wide"} board`, () => {
    const [width, height] = board.viewBox(position(), view({ narrow }));
    for (const { cell } of drawn(position(), view({ narrow }))) {
      if (cell) {
        const [x, y, w, h] = cell.box;
        assert.ok(x >= 0 && y >= 0 && x + w <= width && y + h <= height, cell.name);
      }
    }
  });
}

test("keys are unique among siblings", () => {
  const state = position({ runners: { 6: 2, 8: 4 }, cones: [{ 6: 1 }, { 6: 2, 7: 3 }], dice: [1, 2, 4, 6] });
  const look = view({ legal: ["3", "10", "5+8", "6+7"], preview: "6+7" });
  for (const siblings of [board.draw(state, look), ...drawn(state, look).map(({ children }) => children)]) {
    const known = Array.isArray(siblings) ? siblings.flatMap(({ key }) => key ?? []) : [];
    assert.equal(new Set(known).size, known.length);
  }
});

test("every cone and runner is drawn", () => {
  const state = position({ runners: { 6: 2 }, cones: [{ 6: 1, 9: 4 }, { 6: 2 }] });
  const pieces = keys(state, view()).filter((key) => /^(cone|runner)-/.test(key));
  assert.deepEqual(pieces, ["cone-0-6", "cone-1-6", "runner-6", "cone-0-9"]);
});

test("four pieces on one space do not cover each other", () => {
  const state = position({ cones: [{ 7: 4 }, { 7: 4 }, { 7: 4 }, { 7: 4 }] });
  const places = drawn(state, view()).filter(({ key }) => /^cone-/.test(key)).map(({ attrs }) => attrs.transform);
  assert.equal(new Set(places).size, 4);
});

test("a legal pairing marks the spaces it reaches", () => {
  const state = position({ dice: [1, 2, 4, 6], cones: [{ 7: 4 }, {}] });
  assert.deepEqual(keys(state, view({ legal: ["6+7"] })).filter((key) => /^hint-/.test(key)), ["hint-6", "hint-7"]);
});

test("the pairing looked at shows the runners it would move and their ways", () => {
  const seen = keys(position({ dice: [1, 2, 4, 6] }), view({ legal: ["6+7"], preview: "6+7" }));
  assert.deepEqual(seen.filter((key) => /^(runner|way)-/.test(key)), ["way-6", "way-7", "runner-6", "runner-7"]);
});

test("the pairing looked at joins its dice", () => {
  const state = position({ dice: [1, 2, 4, 6] });
  const links = keys(state, view({ legal: ["6+7"], preview: "6+7" })).filter((key) => /^link-/.test(key));
  assert.equal(links.length, 2);
});

test("a new runner is shown one above the own cone", () => {
  const runner = (state, look) => drawn(state, look).find(({ key }) => key === "runner-7").attrs.transform;
  const would = position({ dice: [1, 2, 4, 6], cones: [{ 7: 4 }, {}] });
  assert.equal(
    runner(would, view({ legal: ["6+7"], preview: "6+7" })),
    runner(position({ runners: { 7: 5 } }), view()),
  );
});

test("looking at the stop button shows cones for runners", () => {
  const pieces = keys(position({ runners: { 6: 2 } }), view({ legal: ["roll", "stop"], preview: "stop" }));
  assert.deepEqual([pieces.includes("cone-0-6"), pieces.includes("runner-6")], [true, false]);
});

test("a claimed column is filled with its owner's pattern", () => {
  const fills = drawn(position({ claimed: { 7: 1 } }), view()).map(({ attrs }) => attrs.fill);
  assert.ok(fills.includes("url(#seat-fill-1)"));
});

test("a bust stays on the board until the next throw", () => {
  const ply = last({ kind: "thrown", seat: 0, faces: [1, 1, 1, 1] }, { kind: "busted", seat: 0, columns: [7] });
  assert.ok(words(position({ turn: 1 }), view({ last: ply })).includes("Bust!"));
});

test("a throw that moves something is no bust", () => {
  const ply = last({ kind: "thrown", seat: 0, faces: [1, 1, 1, 1] });
  assert.ok(!words(position({ dice: [1, 1, 1, 1] }), view({ last: ply })).includes("Bust!"));
});

// Pressing

const thrown = position({ dice: [1, 2, 4, 6], claimed: { 2: 1 } });
const legal = ["3+10", "5+8", "6+7"];

test("the first press on a column shows its pairing", () => {
  assert.deepEqual(board.pick("6", null, legal, thrown, view()), { selection: "6" });
});

test("the second press on a column plays its pairing", () => {
  assert.deepEqual(board.pick("6", "6", legal, thrown, view()), { move: "6+7" });
});

test("the second press may be on the other column of the pairing", () => {
  assert.deepEqual(board.pick("7", "6", legal, thrown, view()), { move: "6+7" });
});

test("a press on a column of another pairing shows that one", () => {
  assert.deepEqual(board.pick("5", "6", legal, thrown, view()), { selection: "5" });
});

test("a press on a claimed column says so", () => {
  assert.match(board.pick("2", null, legal, thrown, view()).refusal, /claimed/);
});

test("a press on a column outside the throw says so", () => {
  assert.match(board.pick("9", null, legal, thrown, view()).refusal, /No pairing/);
});

test("a press before the throw asks for it", () => {
  assert.match(board.pick("9", null, ["roll"], position(), view()).refusal, /Roll/);
});

test("pairings are buttons with keys from 1", () => {
  const buttons = board.controls(thrown, view({ legal }));
  assert.deepEqual(buttons.map(({ move, label, hotkey }) => [move, label, hotkey]), [
    ["3+10", "3 + 10", "1"],
    ["5+8", "5 + 8", "2"],
    ["6+7", "6 + 7", "3"],
  ]);
});

test("a pairing shows its dice; a half that is not played is faint", () => {
  const [whole] = board.controls(thrown, view({ legal }));
  assert.deepEqual(whole.dice, [{ faces: [1, 2], faint: false }, { faces: [4, 6], faint: false }]);
  const [half] = board.controls(position({ dice: [6, 6, 1, 4] }), view({ legal: ["5"] }));
  assert.deepEqual(half.dice, [{ faces: [1, 4], faint: false }, { faces: [6, 6], faint: true }]);
});

test("the chance of a bust is that of all throws", () => {
  const { triples, total } = JSON.parse(readFileSync(new URL("../../data/cantstop_odds.json", import.meta.url), "utf8"));
  for (const [columns, moving] of Object.entries(triples)) {
    const runners = Object.fromEntries(columns.split("-").map((column) => [column, 1]));
    assert.equal(board.bustOdds(position({ runners })), (total - moving) / total, columns);
  }
});

test("the chance of a bust is in sight, and after a throw that of each choice", () => {
  const risky = position({ runners: { 2: 1, 3: 1, 12: 1 } });
  assert.ok(words(risky, view()).includes("56%"));
  const choice = position({ runners: { 6: 1, 7: 1 }, dice: [1, 1, 4, 4] });
  const look = { legal: ["2", "8", "5+5"] };
  assert.ok(words(choice, view(look)).includes("8% – 14%"));
  assert.ok(words(choice, view({ ...look, preview: "8" })).includes("8%"));
  assert.ok(!words(risky, view({ small: true })).some((each) => each.includes("%")));
});

test("a pairing says where it leads", () => {
  const [button] = board.controls(position({ runners: { 2: 2 }, dice: [1, 1, 1, 4] }), view({ legal: ["2+5"] }));
  assert.equal(button.hint, "2 to the top and 5 to space 1 of 9");
});

test("a turn begins with one button", () => {
  assert.deepEqual(board.controls(position(), view({ legal: ["roll"] })).map(({ label }) => label), ["Roll the dice"]);
});

test("stopping says what it keeps and claims", () => {
  const [, stop] = board.controls(position({ runners: { 2: 3, 7: 1 } }), view({ legal: ["roll", "stop"] }));
  assert.equal(stop.hint, "Claim 2 and keep 7");
});

test("nobody else has buttons", () => {
  assert.deepEqual(board.controls(thrown, view()), []);
});

// Motion

/** The state that the frames of some events end with. */
const shownAfter = (state, ...events) =>
  events.reduce((now, event) => board.motion(event, now, view()).at(-1).state, state);

test("tumbling dice end on the faces thrown", () => {
  assert.deepEqual(shownAfter(position({ due: true }), { kind: "thrown", seat: 0, faces: [1, 2, 4, 6] }), {
    ...position(),
    dice: [1, 2, 4, 6],
  });
});

test("climbing ends in the position of the server", () => {
  const climbed = [
    { kind: "climbed", seat: 0, column: 6, start: 0, space: 1 },
    { kind: "climbed", seat: 0, column: 7, start: 4, space: 5 },
  ];
  assert.deepEqual(shownAfter(position({ dice: [1, 2, 4, 6] }), ...climbed), position({ runners: { 6: 1, 7: 5 } }));
});

test("a runner climbs from the own cone", () => {
  const event = { kind: "climbed", seat: 0, column: 7, start: 4, space: 5 };
  const [[flight]] = board.motion(event, position({ cones: [{ 7: 4 }, {}] }), view()).flatMap(({ fly }) => (fly ? [fly] : []));
  assert.ok(flight.from[1] > flight.to[1] && Math.abs(flight.from[0] - flight.to[0]) < 20);
});

test("stopping and claiming end in the position of the server", () => {
  const state = position({ runners: { 2: 3, 7: 5 }, cones: [{ 7: 4 }, { 2: 1 }] });
  const events = [{ kind: "banked", seat: 0, columns: [2, 7] }, { kind: "claimed", seat: 0, column: 2 }];
  assert.deepEqual(shownAfter(state, ...events), position({ cones: [{ 7: 5 }, {}], claimed: { 2: 0 } }));
});

test("a bust lets every runner fall", () => {
  const state = position({ runners: { 2: 3, 7: 5 }, dice: [1, 1, 1, 1] });
  const frames = board.motion({ kind: "busted", seat: 0, columns: [2, 7] }, state, view());
  assert.deepEqual([frames.at(-1).fly.length, frames.at(-1).state.runners], [2, row({})]);
});

// Words

test("a column says everything that stands in it", () => {
  const state = position({ runners: { 7: 6 }, cones: [{ 7: 4 }, { 7: 6 }] });
  assert.equal(
    labels(state, view())[7],
    "Column 7, 13 spaces. Your runner on 6. Your cone on 4. Fox on 6.",
  );
});

test("a claimed column says whose it is", () => {
  assert.equal(labels(position({ claimed: { 7: 1 } }), view())[7], "Column 7, claimed by Fox.");
});

test("a column that can be played says what a press does", () => {
  assert.match(labels(thrown, view({ legal }))[6], /Press to see 6 \+ 7: 6 to space 1 of 11 and 7 to space 1 of 13\.$/);
});

test("a column that is shown says what the next press does", () => {
  assert.match(labels(thrown, view({ legal, selection: "7" }))[6], /Press again to play 6 \+ 7/);
});

test("my own deeds are told to me", () => {
  assert.equal(board.narrate({ kind: "claimed", seat: 0, column: 7 }, view()), "You claimed column 7.");
});

test("the deeds of others are told by name", () => {
  assert.equal(board.narrate({ kind: "banked", seat: 1, columns: [6, 7] }, view()),
    "Fox stopped and kept the places in columns 6 and 7.");
});

test("a bust names what is lost", () => {
  assert.equal(board.narrate({ kind: "busted", seat: 1, columns: [2, 7] }, view()),
    "Bust! Fox lost the runners in columns 2 and 7.");
});

test("who climbs says how far the top is", () => {
  const climbed = { kind: "climbed", seat: 0, column: 6, start: 2, space: 3 };
  assert.equal(board.narrate(climbed, view()), "You climbed to space 3 of 11 in column 6.");
  assert.equal(board.narrate({ ...climbed, seat: 1 }, view()), "Fox climbed to space 3 of 11 in column 6.");
  assert.equal(board.narrate({ ...climbed, space: 11 }, view()), "You reached the top of column 6.");
});

test("one column is kept or lost as one", () => {
  assert.equal(board.narrate({ kind: "banked", seat: 0, columns: [7] }, view()), "You stopped and kept your place in column 7.");
  assert.equal(board.narrate({ kind: "busted", seat: 1, columns: [7] }, view()), "Bust! Fox lost the runner in column 7.");
});

test("to others I am the name that I have", () => {
  const state = position({ runners: { 7: 6 }, cones: [{ 7: 4 }, { 7: 6 }], claimed: { 2: 1 } });
  assert.equal(labels(state, view({ seat: 1 }))[7], "Column 7, 13 spaces. Otter’s runner on 6. Otter on 4. Your cone on 6.");
  assert.equal(labels(state, view({ seat: 1 }))[2], "Column 2, claimed by you.");
});

// Why not

/** The third runner stands at the top of column 12, so no new column can be entered. */
const topped = (more) => position({ runners: { 5: 2, 7: 4, 12: 3 }, claimed: { 3: 1 }, ...more });

test("after a throw the choices are told", () => {
  const state = position({ dice: [5, 1, 1, 2] });
  assert.equal(board.prompt(state, view({ legal: ["3+6", "2+7"] })), "Play 3 and 6, or 2 and 7.");
});

test("before a throw one hears what stopping would keep", () => {
  const told = (runners, legal) => board.prompt(position({ runners }), view({ legal }));
  assert.equal(told({}, ["roll"]), "Roll the dice.");
  assert.equal(told({ 5: 2, 7: 4 }, ["roll", "stop"]), "Roll again, or stop and keep 5 and 7. Chance of a bust: 0%.");
  assert.match(told({ 5: 2, 7: 4, 12: 3 }, ["roll", "stop"]), /^Roll again, or stop, claim 12 and keep 5 and 7\. Chance of a bust: \d\d%\.$/);
  assert.match(told({ 12: 3 }, ["roll", "stop"]), /^Roll again, or stop and claim 12\. Chance/);
});

test("whoever is not on turn has no choices to hear", () => {
  assert.equal(board.prompt(thrown, view()), "");
});

test("of a selected column one hears what its pairing would do", () => {
  const state = position({ dice: [5, 1, 1, 2], cones: [{ 3: 2 }, {}] });
  assert.equal(
    board.prompt(state, view({ legal: ["3+6", "2+7"], selection: "3" })),
    "Press again to play 3 + 6: 3 to space 3 of 5 and 6 to space 1 of 11.",
  );
});

test("strictly, a pairing with a topped column is missing for that column alone", () => {
  const state = topped({ dice: [6, 6, 1, 4] });
  assert.equal(
    board.prompt(state, view({ legal: ["7"] })),
    "Play 7. 5 and 12 cannot be played: the runner in column 12 is at the top. Of 7 and 10 only 7 can be played: no runner is left for column 10.",
  );
});

test("as published, only its half is closed", () => {
  const state = topped({ topped: "published", dice: [6, 6, 1, 4] });
  assert.match(
    board.prompt(state, view({ legal: ["5", "7"] })),
    /Of 5 and 12 only 5 can be played: the runner in column 12 is at the top\./,
  );
});

test("a pairing that cannot be played stands last among the buttons, closed, and says why", () => {
  const [open, closed, ...others] = board.controls(topped({ dice: [6, 6, 1, 4] }), view({ legal: ["7"] }));
  assert.deepEqual([open.move, open.closed, others], ["7", undefined, []]);
  const { dice, ...said } = closed;
  assert.deepEqual(said, { move: "5+12", label: "5 + 12", hint: "the runner in column 12 is at the top", closed: true });
  assert.deepEqual(dice.map(({ faces }) => faces), [[1, 4], [6, 6]]);
});

test("half a pairing says why the other half is not played", () => {
  const [open] = board.controls(topped({ dice: [6, 6, 1, 4] }), view({ legal: ["7"] }));
  assert.equal(open.hint, "7 to space 5 of 13; no runner is left for column 10");
});

test("pressing a column of such a pairing says why, and so does its label", () => {
  const state = topped({ dice: [6, 6, 1, 4] });
  const why = "5 and 12 cannot be played: the runner in column 12 is at the top.";
  assert.deepEqual(board.pick("5", null, ["7"], state, view()), { refusal: why });
  assert.ok(labels(state, view({ legal: ["7"] }))[12].endsWith(why));
});

test("a bust says why no pairing could be played", () => {
  const events = [{ kind: "thrown", seat: 0, faces: [1, 2, 6, 6] }, { kind: "busted", seat: 0, columns: [5, 7, 12] }];
  const told = (look, state) => board.narrate(events[1], look, state, events);
  assert.equal(
    told(view(), topped()),
    "Bust! You lost the runners in columns 5, 7 and 12. No pairing can be played: the runner in column 12 is at the top; no runner is left for columns 7 and 8.",
  );
  assert.match(told(view({ seat: 1 }), topped({ topped: "published" })), /column 12 is at the top; column 3 is claimed; no runner/);
});

test("the position in words names runners and cones, and leaves the turn to the page", () => {
  const state = position({ runners: { 7: 6 }, cones: [{ 7: 4 }, {}], claimed: { 2: 1 } });
  assert.equal(
    board.summary(state, view()),
    "Runners: column 7 on 6 of 13. You claimed nothing; cones: column 7 on 4 of 13. Fox claimed 2; cones: none.",
  );
});

test("the tally counts columns towards the three that win", () => {
  assert.equal(board.tally(position({ claimed: { 2: 1, 7: 1 } }), 1), "2/3");
  assert.equal(board.tally(position({ claimed: { 2: 1, 3: 1, 7: 1, 8: 1 } }), 1), "3/3");
});

test("the result counts the columns", () => {
  assert.equal(board.result({ winners: [1], reason: "columns", scores: [1, 3] }, view()), "Fox claimed 3 columns.");
});

test("the move list shows a throw once", () => {
  const plies = [{ action: "roll", dice: null, events: [] }, { action: "dice", dice: [1, 2, 4, 6], events: [] }];
  assert.deepEqual(plies.map((ply) => board.notation(ply)), ["", "[1 2 4 6]"]);
});

test("the move list names a bust", () => {
  assert.equal(board.notation({ action: "dice", dice: [1, 1, 1, 1], events: [{ kind: "busted" }] }), "[1 1 1 1] bust");
});

// The fact of the end

const turn = (seat, events) => [
  { action: "dice", dice: [1, 1, 1, 1], events: [{ kind: "thrown", seat, faces: [1, 1, 1, 1] }] },
  ...events.map((told) => ({ action: "", dice: null, events: told.map((event) => ({ seat, ...event })) })),
];
const climbed = (column, start, space) => ({ kind: "climbed", column, start, space });
const banked = (columns, ...claimed) => [{ kind: "banked", columns }, ...claimed.map((column) => ({ kind: "claimed", column }))];

test("the boldest turn is that which kept most steps; one that went bust is none", () => {
  const plies = [
    ...turn(0, [[climbed(7, 0, 1), climbed(6, 0, 1)], banked([6, 7])]),
    ...turn(1, [[climbed(8, 0, 2)], [climbed(8, 2, 4)], banked([8])]),
    ...turn(0, [[climbed(7, 1, 3)], [climbed(7, 3, 6)]]),
    ...turn(0, [[{ kind: "busted", columns: [7] }]]),
    ...turn(1, [[climbed(8, 4, 5)], banked([8])]),
  ];
  assert.equal(board.fact(plies, view()), "Longest climb: 4 steps in one turn, by Fox.");
  assert.equal(board.fact(plies, view({ seat: 1 })), "Your longest climb: 4 steps in one turn.");
  assert.equal(board.fact([], view()), "");
});

test("several columns claimed in one turn are the greater deed", () => {
  const plies = [
    ...turn(1, [[climbed(8, 0, 9)], banked([8])]),
    ...turn(0, [[climbed(2, 1, 3), climbed(12, 2, 3)], banked([2, 12], 2, 12)]),
  ];
  assert.equal(board.fact(plies, view()), "You claimed 2 columns in one turn.");
  assert.equal(board.fact(plies, view({ seat: null })), "Otter claimed 2 columns in one turn.");
});

test("who left in the middle of a turn lends no steps to the next one", () => {
  const plies = [...turn(0, [[climbed(7, 0, 5)], [{ kind: "left", reason: "resigned" }]]), ...turn(1, [[climbed(8, 0, 1)], banked([8])])];
  assert.equal(board.fact(plies, view()), "Longest climb: 1 step in one turn, by Fox.");
});
