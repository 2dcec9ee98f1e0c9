/**
 * The shapes of a small board in a tile of 4 by 3, as pictures have them: in the order of drawing, without words.
 *
 *     node tests/js/board_shapes.js static/boards/<slug>.js < positions.json
 *
 * tests/games/share/test_pictures.py writes the positions, [{state, outcome, seats}], and reads [{size, shapes}], a shape being
 * its name and the attributes from the outermost group in.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

import "./catalogue.js";

const NAMES = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal"];
const board = await import(pathToFileURL(resolve(process.argv[2])));
const { fitsNarrow } = await import("../../static/board/fits.js");

/** The shapes that are seen, each with the attributes around it. */
function leaves({ tag, attrs, children }, around = []) {
  const inside = Object.keys(attrs).length ? [...around, attrs] : around;
  if (tag === "g") {
    return children.flatMap((child) => leaves(child, inside));
  }
  return tag === "text" || tag === "defs" ? [] : [[tag, inside]];
}

const drawn = JSON.parse(readFileSync(0, "utf8")).map(({ state, outcome, seats }) => {
  const wide = {
    seat: null,
    bottom: 0,
    names: NAMES.slice(0, seats),
    legal: [],
    outcome,
    selection: null,
    preview: null,
    last: null,
    narrow: false,
    small: true,
  };
  const narrow = { ...wide, narrow: true };
  const view = fitsNarrow(board.viewBox(state, wide), board.viewBox(state, narrow), 4 / 3) ? narrow : wide;
  return { size: board.viewBox(state, view), shapes: board.draw(state, view).flatMap((shape) => leaves(shape)) };
});
writeFileSync(1, JSON.stringify(drawn));
