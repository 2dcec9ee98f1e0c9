/**
 * What every board module owes to board.js, held against matches that were really played.
 *
 *     node tests/js/board_contract.js static/boards/<slug>.js <kind of event>... < matches.json
 *
 * tests/games/test_boards.py writes the matches: [{seats, positions: [{state, legal, outcome, last,
 * next}]}], where `last` and `next` are the plies before and after a position, or null.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";

import "./catalogue.js";

/**
 * By game, what a drawing says about pieces and how many pieces it has: `[said, drawn]` each. `flying` are the pieces
 * in the air.
 */
const COUNTED = {
  kalah(shapes, state) {
    const seeds = (place) => keyed(shapes, `place-${place}`).flatMap((each) => keyed([each], "seeds"))[0].children.length;
    const stores = [0, 1].map((seat) => [board.tally(state, seat), seeds((seat + 1) * (state.board.length / 2) - 1)]);
    return [...stores, ...placesIn(shapes).map(({ name, label }) => [/: (\d+) /.exec(label)[1], seeds(name)])];
  },
  morris(shapes, state, flying) {
    return [0, 1].flatMap((seat) => {
      const skin = `url(#morris-${["white", "black"][seat]})`;
      const men = (roots) => everything(roots).filter(({ attrs }) => attrs.fill === skin).length;
      const [rail] = keyed(shapes, `rail${seat}`);
      return [[parseInt(board.tally(state, seat), 10), men([...shapes, ...flying])], [/\d+/.exec(rail.cell.label)[0], men([rail])]];
    });
  },
  aces(shapes, state, flying) {
    const dice = (root, key) => everything([root]).filter((shape) => String(shape.key).startsWith(key)).length;
    const seats = state.dice.flatMap((_, seat) => {
      const [tray] = keyed(shapes, `seat-${seat}`);
      const drawn = dice(tray, "die-") + (state.rolling === seat ? flying.length : 0);
      const said = [board.tally(state, seat), ...everything([tray]).filter(({ tag }) => tag === "text").map(({ children }) => children)];
      return said.filter((words) => /^\d|no dice/.test(words)).map((words) => [words === "no dice" ? 0 : parseInt(words, 10), drawn]);
    });
    const [centre] = keyed(shapes, "centre");
    return [...seats, [/\d+/.exec(centre.cell.label)[0], keyed([centre], "aces")[0].children.length]];
  },
};

const { start } = await import("../../static/board/cells.js");
const { walk } = await import("../../static/board/keyboard.js");
const { isSound, soundOf } = await import("../../static/parts/sound.js");

const NAMES = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal"];

const board = await import(pathToFileURL(resolve(process.argv[2])));
const counted = COUNTED[basename(process.argv[2], ".js")] ?? (() => []);
const kinds = process.argv.slice(3);
const matches = JSON.parse(readFileSync(0, "utf8"), (_, value) => Object.freeze(value));

sounding();
for (const { seats, positions } of matches) {
  for (const narrow of [false, true]) {
    const sizes = new Set();
    walked(positions[0].state, lookOf(positions[0], seats, null, narrow));
    for (const position of positions) {
      for (const seat of [null, position.state.turn, (position.state.turn + 1) % seats]) {
        const view = lookOf(position, seats, seat, narrow);
        sizes.add(JSON.stringify([seat, board.viewBox(position.state, view)]));
        drawn(position.state, view);
        told(position, view);
        played(position, view);
      }
      moved(position, lookOf(position, seats, null, narrow));
    }
    const viewers = new Set([...sizes].map((size) => JSON.parse(size)[0]));
    assert.equal(sizes.size, viewers.size, "the view box changes while a match is played");
  }
}

function lookOf({ state, legal, outcome, last }, seats, seat, narrow) {
  return Object.freeze({
    seat,
    bottom: seat ?? 0,
    names: NAMES.slice(0, seats),
    legal: seat === state.turn ? legal : [],
    selection: null,
    preview: null,
    last,
    outcome,
    narrow,
  });
}

/** Arrow keys lead to every place from the one at which Tab enters the board. */
function walked(state, view) {
  const rows = board.cells(state, view);
  const reached = [start(rows)];
  const seen = new Set(reached.map(String));
  for (const place of reached) {
    for (const step of [[0, -1], [0, 1], [-1, 0], [1, 0]]) {
      const next = walk(rows, place, step);
      if (!seen.has(String(next))) {
        seen.add(String(next));
        reached.push(next);
      }
    }
  }
  const names = new Set(rows.flat().filter((name) => name !== null));
  assert.deepEqual(new Set(reached.map(([row, column]) => rows[row][column])), names);
}

/** Each kind of event has a sound that there is; a board without a table has the default for all. */
function sounding() {
  if (board.sounds) {
    assert.deepEqual(Object.keys(board.sounds).sort(), kinds.toSorted(), "the table of sounds and the events differ");
    for (const [kind, name] of Object.entries(board.sounds)) {
      assert.ok(isSound(name), `${kind} sounds like ${name}, which is no sound`);
    }
  }
  for (const kind of [...kinds, "left"]) {
    assert.ok(isSound(soundOf(board, kind)), `${kind} has no sound`);
  }
}

/** The drawing is a pure function; its places are named, apart, inside the board, and can be walked to. */
function drawn(state, view) {
  const shapes = board.draw(state, view);
  const again = board.draw(state, view);
  assert.equal(JSON.stringify(shapes), JSON.stringify(again), "two drawings of one position differ");
  keysDiffer(shapes);
  areasLieOnBeds(shapes);
  const places = placesIn(shapes);
  const names = places.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length, `a place is drawn twice: ${names}`);
  const walked = board.cells(state, view).flat().filter((name) => name !== null);
  assert.deepEqual([...new Set(walked)].sort(), names.toSorted(), "places drawn and places to walk to differ");
  const [width, height] = board.viewBox(state, view);
  for (const { label, box: [x, y, w, h] } of places) {
    assert.ok(label, "a place without a label");
    // What can be pressed is larger than what is drawn, and may reach a little beyond the edge.
    const [more, below] = [x + w - width, y + h - height];
    assert.ok(Math.max(-x, -y, more, below) <= width * 0.02, `${label} lies beside the board`);
  }
}

function keysDiffer(shapes) {
  const keys = shapes.map(({ key }) => key).filter((key) => key !== undefined).map(String);
  assert.equal(new Set(keys).size, keys.length, `neighbours share a key: ${keys}`);
  shapes.filter(({ children }) => typeof children !== "string").forEach(({ children }) => keysDiffer(children));
}

/** The colours of seats are told from what is around without their hue. */
function areasLieOnBeds(shapes) {
  shapes.forEach(({ attrs, children }, nth) => {
    if (String(attrs.fill).startsWith("url(#seat-fill-")) {
      assert.equal(shapes[nth - 1]?.attrs.fill, "var(--seat-bed)", "an area in the colours of a seat lies on no bed");
    }
    if (typeof children !== "string") {
      areasLieOnBeds(children);
    }
  });
}

/** Every shape, however deep. */
function everything(shapes) {
  return shapes.filter(Boolean).flatMap((shape) => [shape, ...(typeof shape.children === "string" ? [] : everything(shape.children))]);
}

function keyed(shapes, key) {
  return everything(shapes).filter((shape) => shape.key === key);
}

function placesIn(shapes) {
  return shapes.flatMap(({ cell, children }) => [
    ...(cell ? [cell] : []),
    ...(typeof children === "string" ? [] : placesIn(children)),
  ]);
}

/** The position has words, and so has whatever a player did. */
function told({ state, outcome, next }, view) {
  assert.ok(board.summary(state, view), "no words for a position");
  assert.equal(board.prompt(state, view) !== "", view.legal.length > 0, "whoever is to move hears what there is to choose from");
  for (const event of next?.events ?? []) {
    assert.equal(typeof board.narrate(event, view, state, next.events), "string", `${event.kind} is told by no sentence`);
  }
  const result = outcome ? board.result?.(outcome, view, state) : board.tally?.(state, 0, view);
  assert.ok(["string", "undefined"].includes(typeof result), `the result is no sentence: ${result}`);
}

/** Every event leads through positions that can be drawn. */
function moved({ state, next }, view) {
  const flying = { ...view, last: null, outcome: null };
  let [now, shapes] = [state, board.draw(state, flying)];
  for (const event of next?.events ?? []) {
    const frames = board.motion(event, now, flying);
    assert.ok(flashes(frames) <= 3, `${event.kind} flashes more than three times within a second`);
    for (const frame of frames) {
      agreed(shapes, now, frame);
      assert.ok(frame.ms >= 0 && frame.state, `${event.kind} has a frame without time or state`);
      [now, shapes] = [frame.state, board.draw(frame.state, flying)];
      const names = placesIn(shapes).map(({ name }) => name);
      for (const name of frame.flash ?? []) {
        assert.ok(names.includes(name), `${event.kind} flashes ${name}, which is no place`);
      }
    }
  }
}

/** While a frame is seen, what is said about pieces agrees with those on the board and in the air. */
function agreed(shapes, state, { ms, fly = [] }) {
  const drawn = ms > 0 ? counted(shapes, state, fly.map(({ shape }) => shape)) : [];
  for (const [said, pieces] of drawn) {
    assert.equal(Number(said), pieces, "what is said and what is seen differ");
  }
}

/** How often places light up within any second, at most. */
function flashes(frames) {
  const ends = frames.map((_, nth) => frames.slice(0, nth + 1).reduce((sum, { ms }) => sum + ms, 0));
  const lit = ends.filter((_, nth) => frames[nth].flash?.length);
  return Math.max(0, ...lit.map((end) => lit.filter((other) => other >= end && other < end + 1000).length));
}

/** By presses on places and by buttons, each legal move can be made, and no other. */
function played({ state }, view) {
  const controls = board.controls(state, view);
  const moves = new Set(controls.filter(({ closed }) => !closed).map(({ move }) => move));
  for (const { move, hint } of controls.filter(({ closed }) => closed)) {
    assert.ok(hint && !view.legal.includes(move), `${move} is closed and does not say why`);
  }
  const selections = new Set([null]);
  if (view.legal.length > 0) {
    // A set grows under its own walk: what is selected on the way is tried as well.
    for (const selection of selections) {
      for (const name of placesIn(board.draw(state, { ...view, selection })).map((place) => place.name)) {
        const answer = board.pick(name, selection, view.legal, state, { ...view, selection });
        const answers = Object.keys(answer).sort().join(" ");
        assert.ok(["move", "selection", "refusal", "refusal selection"].includes(answers), `${name}: ${answers}`);
        if (answer.move) {
          moves.add(answer.move);
        } else if (answer.selection !== undefined) {
          selections.add(answer.selection);
        }
      }
    }
  }
  assert.deepEqual([...moves].sort(), view.legal.toSorted(), "moves on the board and legal moves differ");
}
