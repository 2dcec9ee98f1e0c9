/**
 * What the coach of a board says in positions:
 *
 *     node tests/js/coach_advice.js static/boards/<slug>.js < positions.json
 *
 * tests/games/test_coach.py writes them as [{state, legal, events, names}], and reads [advice or null].
 */

import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

import "./catalogue.js";

const board = await import(pathToFileURL(resolve(process.argv[2])));
const positions = JSON.parse(readFileSync(0, "utf8"), (_, value) => Object.freeze(value));

const advice = positions.map(({ state, legal, events, names }) => {
  const view = { seat: state.turn, bottom: state.turn, names, legal, outcome: null };
  return board.coach?.(state, view, events) ?? null;
});
writeFileSync(1, JSON.stringify(advice));
