import assert from "node:assert/strict";
import { test } from "node:test";

import { allowed } from "../allowed.js";
import "../catalogue.js";

const { rematchLook } = await import("../../../static/match/rematch.js");
const { commandNamed } = await import("../../../static/actions/commands.js");
const { commandWords } = await import("../../../static/actions/command-words.js");
const { movesUpTo, throwsApart, turns } = await import("../../../static/match/turns.js");
const { around } = await import("../../../static/players/strips.js");
const { SETTINGS, change, onChange, setting } = await import("../../../static/parts/settings.js");
const { empty, reduce } = await import("../../../static/match/store.js");
const { arrival, createCommands, news, whereabouts } = await import("../../../static/match/telling.js");
const { blockedWords, headline, notationOf, progress, reasonWords, viewOf, wordsOf } = await import("../../../static/match/words.js");

const BOARD = {
  narrate: ({ kind }, view, state) => (kind === "sown" ? `sown after ${state.at}` : ""),
  prompt: ({ at }, { legal }) => (legal.length ? `At ${at} play ${legal.join(" or ")}.` : ""),
  summary: ({ at }) => `position ${at}.`,
  result: () => "by the rules",
};
const state = (at, turn) => ({ at, turn });
const ply = (number, seat, more = {}) => ({
  number,
  seat,
  action: "3",
  dice: null,
  events: [{ kind: "sown" }],
  state: state(number, 1 - seat),
  ...more,
});
const END = { winners: [1], reason: "swept", scores: [] };

/** A match seen by `you`, with `plies` played and whatever else is said: `beside` the plies, and what I `may` do. */
function match(you, plies = [], { outcome = null, legal, beside = {}, may = {} } = {}) {
  const about = { you, turn: (plies.at(-1)?.state ?? state(0, 0)).turn, ply: plies.length, outcome, ...beside };
  const told = { halted: null, acted: [], left: [], caretaken: [], ...beside, may: allowed({ ...about, ...may }) };
  const snapshot = {
    type: "snapshot",
    match: { id: "m", seats: [{ seat: 0, name: "Ann" }, { seat: 1, name: "Bo" }], offered: [], rematch: null, dice: null },
    you,
    ply: 0,
    start: state(0, 0),
    state: state(0, 0),
    outcome: null,
    legal: plies.length === 0 ? legal : undefined,
    ...told,
    watchers: 0,
    present: [],
  };
  const played = { type: "plies", after: 0, plies, outcome, legal, ...told };
  return plies.length === 0 ? reduce(empty(), snapshot) : reduce(reduce(empty(), snapshot), played);
}

test("the headline says whose turn it is", () => {
  assert.equal(headline(match(0)), "Your turn");
  assert.equal(headline(match(1)), "Ann to move");
  assert.equal(headline(match(null)), "Ann to move");
});

test("the headline says how the match ended", () => {
  const end = (you, winners) => headline(match(you, [ply(1, 0)], { outcome: { ...END, winners } }));
  assert.equal(end(1, [1]), "You won");
  assert.equal(end(0, [1]), "Bo won");
  assert.equal(end(0, [0, 1]), "Draw");
});

test("several winners among more seats have won, and do not share a draw", () => {
  const names = ["Ann", "Bo", "Cy", "Di"];
  const end = (you, winners) => {
    const store = match(you, [ply(1, 0)], { outcome: { ...END, winners } });
    return headline({ ...store, match: { ...store.match, seats: names.map((name, seat) => ({ seat, name })) } });
  };
  assert.equal(end(0, [1, 2, 3]), "Bo, Cy and Di won");
  assert.equal(end(3, [1, 3]), "You and Bo won");
  assert.equal(end(null, [0, 1, 2, 3]), "Draw");
});

test("whoever resigned is named, and told so", () => {
  const left = ply(1, 0, { action: "left:0:resigned", events: [{ kind: "left", seat: 0, reason: "resigned" }] });
  const store = match(1, [left], { outcome: { ...END, reason: "resigned" } });
  assert.equal(reasonWords(store, BOARD, viewOf(store, 0)), "Ann resigned.");
  assert.equal(wordsOf(store, left, BOARD, viewOf(store, 0)), "Ann resigned.");
  assert.equal(notationOf(left, BOARD, viewOf(store, 0)), "resigns");
  const mine = match(0, [left], { outcome: { ...END, reason: "resigned" } });
  assert.equal(reasonWords(mine, BOARD, viewOf(mine, 0)), "You resigned.");
});

test("the game's own reasons are the board's to tell", () => {
  const store = match(1, [ply(1, 0)], { outcome: END });
  assert.equal(reasonWords(store, BOARD, viewOf(store, 0)), "by the rules");
});

test("dice stand in the move list as their faces", () => {
  assert.equal(notationOf(ply(1, null, { action: "dice", dice: [3, 5] }), BOARD, {}), "[3 5]");
});

test("a move that is a word stands there in the language of the page, where a board says nothing else", () => {
  const english = globalThis.gettext;
  globalThis.gettext = (word) => ({ stop: "стоп" })[word] ?? english(word);
  assert.equal(notationOf(ply(1, 0, { action: "stop" }), {}, {}), "стоп");
  globalThis.gettext = english;
});

test("nobody moves but the player on turn, on the live board, before the end", () => {
  assert.equal(blockedWords(match(0)), null);
  assert.match(blockedWords(match(1)), /Ann’s turn/);
  assert.match(blockedWords(match(null)), /watching/);
  assert.match(blockedWords(match(1, [ply(1, 0)], { outcome: END })), /over/);
  assert.match(blockedWords(reduce(match(1, [ply(1, 0)]), { type: "step", to: 0 })), /earlier/);
});

test("legal moves are shown only where they can be played", () => {
  assert.deepEqual(viewOf(match(0, [], { legal: ["1"] }), 0).legal, ["1"]);
  const back = reduce(match(1, [ply(1, 0)], { legal: ["2"] }), { type: "step", to: 0 });
  assert.deepEqual(viewOf(back, 0).legal, []);
});

test("the nearest seat is mine, unless the board was turned", () => {
  assert.equal(viewOf(match(1), 0).bottom, 1);
  assert.equal(viewOf(match(null), 0).bottom, 0);
  assert.equal(viewOf(match(1), 1).bottom, 0);
});

test("a move is told with what it means for me", () => {
  const [before, store] = [match(1), match(1, [ply(1, 0)])];
  assert.equal(news(store, before, BOARD, viewOf(store, 0)), "sown after 0 Your turn.");
});

test("whoever is to move hears what there is to choose from", () => {
  const before = match(1);
  const now = match(1, [ply(1, 0)], { legal: ["2", "4"] });
  assert.equal(news(now, before, BOARD, viewOf(now, 0)), "sown after 0 Your turn. At 1 play 2 or 4.");
  const other = match(null, [ply(1, 0)]);
  assert.equal(news(other, match(null), BOARD, viewOf(other, 0)), "sown after 0");
});

test("a turn of several moves is called mine once", () => {
  const again = ply(2, 1, { state: state(2, 1) });
  const [before, now] = [match(1, [ply(1, 0)]), match(1, [ply(1, 0), again], { legal: ["5"] })];
  assert.equal(news(now, before, BOARD, viewOf(now, 0)), "sown after 1 At 2 play 5.");
});

test("it is called mine anew where somebody else had a turn in between, however fast", () => {
  const before = match(0, [], { legal: ["1"] });
  const now = match(0, [ply(1, 0), ply(2, 1)], { legal: ["5"] });
  assert.equal(news(now, before, BOARD, viewOf(now, 0)), "sown after 0 sown after 1 Your turn. At 2 play 5.");
});

test("whoever comes hears whose turn it is, and their choices", () => {
  const told = (store) => arrival(store, BOARD, viewOf(store, 0));
  assert.equal(told(match(0, [], { legal: ["1", "2"] })), "Your turn. At 0 play 1 or 2.");
  assert.equal(told(match(1)), "Ann to move.");
  assert.equal(told(match(null)), "");
});

test("an event is told with all those of its ply", () => {
  const board = { ...BOARD, narrate: ({ kind }, view, state, events) => `${kind} of ${events.length}` };
  const now = match(1, [ply(1, 0, { events: [{ kind: "sown" }, { kind: "captured" }] })]);
  assert.equal(wordsOf(now, now.plies[0], board, viewOf(now, 0)), "sown of 2 captured of 2");
});

test("the end is told with its reason", () => {
  const store = match(0, [ply(1, 0)], { outcome: END });
  assert.equal(news(store, match(0), BOARD, viewOf(store, 0)), "sown after 0 Bo won. by the rules");
});

test("who was away is told the last moves only", () => {
  const plies = Array.from({ length: 9 }, (_, i) => ply(i + 1, i % 2));
  const store = match(null, plies);
  assert.equal(news(store, match(null), BOARD, viewOf(store, 0)), "sown after 5 sown after 6 sown after 7 sown after 8");
});

test("stepping tells where one is", () => {
  const store = reduce(match(1, [ply(1, 0), ply(2, 1)]), { type: "step", to: 1 });
  assert.equal(whereabouts(store, BOARD, viewOf(store, 0)), "Move 1 of 2. sown after 0");
  assert.equal(progress(reduce(store, { type: "step", to: 0 })), "Move 0 of 2");
});

test("moves in a row stand in a row, with their dice", () => {
  const rows = turns([ply(1, 0), ply(2, null), ply(3, 0), undefined, ply(5, 1)]);
  assert.deepEqual(rows.map(({ seat, plies }) => [seat, plies.map(({ number }) => number)]), [[0, [1, 2, 3]], [1, [5]]]);
});

test("a move is a row of the list, and what is no move is not counted", () => {
  const plies = [
    ply(1, 0), ply(2, 0), ply(3, 1, { action: "paused:1" }), ply(4, 1), ply(5, 0, { action: "left:0:resigned" }),
  ];
  assert.deepEqual([0, 1, 2, 3, 4, 5].map((last) => movesUpTo(plies, last)), [0, 1, 1, 1, 2, 2]);
  assert.deepEqual(turns(plies).map(({ moved }) => moved), [true, false, true, false]);
  assert.equal(movesUpTo([ply(1, 0, { action: "aborted:0" })], 1), 0);
  assert.equal(progress(match(0, [ply(1, 0, { action: "aborted:0" })])), "");
});

test("a throw stays with what was made of it", () => {
  const thrown = (number) => ply(number, null, { dice: [1, 2] });
  const groups = throwsApart([ply(1, 0), thrown(2), ply(3, 0), ply(4, 0), thrown(5), ply(6, 0)]);
  assert.deepEqual(groups.map((group) => group.map(({ number }) => number)), [[1], [2, 3, 4], [5, 6]]);
});

test("players sit around the board in turn order, me last", () => {
  assert.deepEqual(around(4, 2), [3, 0, 1, 2]);
});

test("what happens beside the game has a row of its own", () => {
  const rows = turns([ply(1, 0), ply(2, 0, { action: "paused:0" }), ply(3, 1, { action: "resumed:1" }), ply(4, 0)]);
  assert.deepEqual(rows.map(({ seat, act }) => [seat, act]), [[0, false], [null, true], [null, true], [0, false]]);
});

for (const [action, more, theirs, mine] of [
  [
    "aborted:0", {}, "The match did not begin: Ann made no move in time.",
    "The match did not begin: you made no move in time.",
  ],
  ["aborted:0", { command: "c" }, "Ann aborted the match.", "You aborted the match."],
  ["agreed:0", {}, "Draw agreed: Ann offered it.", "Draw agreed: you offered it."],
  ["abandoned:0", {}, "Ann left, and the match was claimed as a draw.", "You left, and your opponent claimed a draw."],
  [
    "ended:0", {}, "The players agreed to end the match, as Ann proposed.",
    "The players agreed to end the match, as you proposed.",
  ],
  ["back:0:0", {}, "Ann took a move back.", "You took a move back."],
  ["paused:0", {}, "The match was paused, as Ann proposed.", "The match was paused, as you proposed."],
  ["saved:0", {}, "Ann saved the match for later.", "You saved the match for later."],
  ["resumed:0", {}, "The match continues.", "The match continues."],
  ["caretaker:0", {}, "A bot is playing for Ann.", "A bot is playing for you."],
  ["reclaimed:0", {}, "Ann is playing again.", "You are playing again."],
]) {
  test(`${action} is told as ${theirs}`, () => {
    const act = ply(1, 0, { action, events: [], ...more });
    for (const [you, words] of [[null, theirs], [1, theirs], [0, mine]]) {
      const store = match(you, [act]);
      assert.equal(wordsOf(store, act, BOARD, viewOf(store, 0)), words);
      assert.equal(notationOf(act, BOARD, viewOf(store, 0)), words);
    }
  });
}

for (const [action, reason, words] of [
  ["agreed:1", "agreed", "Draw agreed: Bo offered it."],
  ["abandoned:1", "abandoned", "Bo left, and the match was claimed as a draw."],
  ["left:1:abandoned", "abandoned", "Bo left the match."],
  ["3", "swept", "by the rules"],
]) {
  test(`a match that ends by ${action} says why`, () => {
    const store = match(0, [ply(1, 0, { action, events: [] })], { outcome: { ...END, reason } });
    assert.equal(reasonWords(store, BOARD, viewOf(store, 0)), words);
  });
}

test("a halted match says so instead of whose turn it is, and nothing can be played", () => {
  const paused = match(0, [ply(1, 1, { action: "paused:1", events: [] })], { legal: ["1"], beside: { halted: "paused" } });
  assert.equal(headline(paused), "Paused");
  assert.equal(blockedWords(paused), "The match is paused.");
  assert.deepEqual(viewOf(paused, 0).legal, []);
  const saved = match(0, [ply(1, 1, { action: "saved:1", events: [] })], { beside: { halted: "saved" } });
  assert.equal(headline(saved), "Saved for later");
});

test("a bot's turn is not its player's", () => {
  const act = ply(1, 1, { action: "caretaker:0", events: [] });
  const beside = { caretaken: [0] };
  assert.equal(headline(match(0, [act], { beside })), "A bot is playing for you");
  assert.equal(headline(match(1, [act], { beside })), "A bot is playing for Ann");
  assert.match(blockedWords(match(0, [act], { beside })), /seat/);
});

/** The commands of the text box for a store, and what they send. */
function typed(store, resign = {}) {
  const sent = [];
  const send = (fields) => sent.push(fields);
  return { sent, commands: createCommands(() => store, BOARD, { view: () => viewOf(store, 0), resign, clock: () => "", now: () => 0, send }) };
}

test("all that can be pressed can be typed", () => {
  const { commands, sent } = typed(match(0, []));
  for (const name of ["abort", "draw", "takeback", "pause", "save", "resume", "claim", "claim draw", "reclaim", "end"]) {
    assert.equal(commands[name](), "", name);
  }
  assert.deepEqual(sent.map(({ type, kind }) => kind ?? type), [
    "abort", "draw", "take-back", "pause", "save", "resume", "win", "draw", "reclaim", "end",
  ]);
});

test("accept and decline answer what is on offer, and say when nothing is", () => {
  const idle = typed(match(0, []));
  assert.equal(idle.commands.accept(), "There is no offer to answer.");
  const offered = { ply: 0, open: [{ kind: "draw", by: 1, agreed: [1], until: 9 }] };
  const store = { ...match(0, [], { may: { agree: ["draw"] } }), offers: offered };
  const { commands, sent } = typed(store);
  commands.accept();
  commands.decline();
  assert.deepEqual(sent, [{ type: "offer", kind: "draw" }, { type: "decline", kind: "draw" }]);
});

test("a watcher's commands are answered and not sent", () => {
  const { commands, sent } = typed(match(null, []));
  assert.match(commands.draw(), /watching/);
  assert.deepEqual(sent, []);
});

test("the text box answers its words", () => {
  const store = match(0, [], { legal: ["1", "4"] });
  const { commands } = typed(store, { press: () => {}, asked: () => true });
  assert.equal(commands.board(), "position 0. Your turn.");
  assert.equal(commands.last(), "No moves yet.");
  assert.equal(commands.legal(), "1 and 4");
  assert.match(commands.resign(), /again/);
  assert.match(commands.help(), /legal/);
});

test("a watcher who asks for legal moves learns why there are none", () => {
  const { commands } = typed(match(null));
  assert.match(commands.legal(), /watching/);
  assert.match(commands.resign(), /watching/);
});

test("commands are known in any case, and moves are none", () => {
  const commands = { board: () => "b", "claim draw": () => "c" };
  assert.equal(commandNamed("Board", commands), commands.board);
  assert.equal(commandNamed("claim  Draw", commands), commands["claim draw"]);
  assert.equal(commandNamed("3", commands), null);
});

test("commands are known in the language of the page and in English", () => {
  const commands = { board: () => "b", last: () => "l" };
  const english = globalThis.gettext;
  globalThis.gettext = (sentence) => (sentence === "board" ? "Доска" : sentence);
  assert.equal(commandNamed("доска", commands), commands.board);
  assert.equal(commandNamed("board", commands), commands.board);
  assert.equal(commandNamed("last", commands), commands.last);
  globalThis.gettext = english;
});

test("every command has a word in every language, and the help names it in English", () => {
  const { commands } = typed(match(0));
  const words = commandWords();
  assert.deepEqual(Object.keys(words).sort(), [...Object.keys(commands), "hint"].sort());
  for (const word of Object.values(words).filter((word) => word !== "help")) {
    assert.match(commands.help(), new RegExp(`\\b${word}\\b`));
  }
});

const finished = (you, offered = [], rematch = null) => ({
  ...match(you, [ply(1, 0)], { outcome: END }),
  offered,
  rematch,
});

test("nobody is offered a rematch before the end", () => {
  assert.equal(rematchLook(match(0)).button, null);
});

test("a rematch is offered, waited for, accepted", () => {
  assert.equal(rematchLook(finished(0)).button, "Rematch");
  assert.equal(rematchLook(finished(0, [0])).button, null);
  assert.match(rematchLook(finished(0, [0])).note, /Waiting/);
  assert.equal(rematchLook(finished(0, [1])).button, "Accept rematch");
  assert.equal(rematchLook(finished(0, [1])).glow, true);
});

test("watchers learn of a rematch and find the way to it", () => {
  assert.equal(rematchLook(finished(null, [1])).button, null);
  assert.match(rematchLook(finished(null, [1])).note, /Bo/);
  assert.equal(rematchLook(finished(null, [0, 1], "next")).link, true);
});

test("settings have defaults, and nonsense is none", () => {
  const kept = new Map();
  globalThis.localStorage = { getItem: (k) => kept.get(k) ?? null, setItem: (k, v) => kept.set(k, v) };
  assert.equal(setting("speed"), SETTINGS.speed[0]);
  kept.set("parlour:speed", '"warp"');
  assert.equal(setting("speed"), SETTINGS.speed[0]);
});

test("a setting is kept and told", () => {
  const heard = [];
  const stop = onChange((name, value) => heard.push([name, value]));
  change("speed", "slow");
  stop();
  change("speed", "fast");
  assert.deepEqual(heard, [["speed", "slow"]]);
  assert.equal(setting("speed"), "fast");
});
