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
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

import "./catalogue.js";

const { start } = await import("../../static/board/cells.js");
const { walk } = await import("../../static/board/keyboard.js");
const { isSound, soundOf } = await import("../../static/parts/sound.js");

const NAMES = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal"];

const board = await import(pathToFileURL(resolve(process.argv[2])));
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
  let now = state;
  for (const event of next?.events ?? []) {
    const frames = board.motion(event, now, flying);
    assert.ok(flashes(frames) <= 3, `${event.kind} flashes more than three times within a second`);
    for (const frame of frames) {
      assert.ok(frame.ms >= 0 && frame.state, `${event.kind} has a frame without time or state`);
      now = frame.state;
      const names = placesIn(board.draw(now, flying)).map(({ name }) => name);
      for (const name of frame.flash ?? []) {
        assert.ok(names.includes(name), `${event.kind} flashes ${name}, which is no place`);
      }
    }
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
