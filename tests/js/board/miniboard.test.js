// Boards in small: ids of their own, the way they are drawn, and the words beside them.

import assert from "node:assert/strict";
import test from "node:test";

import "../catalogue.js";
import { fitsNarrow } from "../../../static/board/fits.js";
import { marked, resultWords, viewOf, watchWords } from "../../../static/board/miniboard.js";
import { circle, gradient, group, seatPatterns, shape, text } from "../../../static/shapes/svg.js";

const NAMES = ["Ann", "Bo", "Cy"];

const shown = (changes) => ({ match: { id: "m", game: "g", players: NAMES }, ply: 0, state: {}, outcome: null, ...changes });

test("ids and what refers to them get the mark of the board", () => {
  const drawing = group({}, [
    shape("defs", {}, [gradient("linearGradient", "wood", [[0, "var(--wood)"]])]),
    circle(1, 1, 1, { fill: "url(#wood)", stroke: "var(--mark)" }),
    shape("use", { href: "#seed" }),
  ]);
  const [defs, disc, use] = marked(drawing, "b1-").children;
  assert.equal(defs.children[0].attrs.id, "b1-wood");
  assert.deepEqual(disc.attrs, { cx: 1, cy: 1, r: 1, fill: "url(#b1-wood)", stroke: "var(--mark)" });
  assert.equal(use.attrs.href, "#b1-seed");
});

test("keys stay, so that elements are kept from drawing to drawing", () => {
  const [pattern] = marked(seatPatterns(1), "b1-").children;
  assert.equal(pattern.attrs.id, "b1-seat-fill-0");
  assert.equal(pattern.key, seatPatterns(1).children[0].key);
});

test("words that look like a reference stay as they are", () => {
  assert.equal(marked(text(0, 0, "url(#wood) #seed"), "b1-").children, "url(#wood) #seed");
});

test("the original is left alone", () => {
  const disc = Object.freeze({ ...circle(1, 1, 1, { id: "disc" }), attrs: Object.freeze({ id: "disc" }) });
  assert.equal(marked(disc, "b1-").attrs.id, "b1-disc");
  assert.equal(disc.attrs.id, "disc");
});

test("a board is drawn the way that fills its space better", () => {
  assert.equal(fitsNarrow([952, 402], [376, 264], 4 / 3), true);
  assert.equal(fitsNarrow([872, 600], [390, 516], 4 / 3), false);
});

test("nobody sits at a board in small and nothing can be played there", () => {
  const { seat, bottom, names, legal, last } = viewOf(shown({}));
  assert.deepEqual({ seat, bottom, names, legal, last }, { seat: null, bottom: 0, names: NAMES, legal: [], last: null });
});

test("the events of the last ply are marked on it", () => {
  const events = [{ kind: "sown" }];
  assert.deepEqual(viewOf(shown({ events })).last, { events });
});

test("a match that goes on has no result", () => {
  assert.equal(resultWords(shown({})), "");
});

test("the result names who won", () => {
  assert.equal(resultWords(shown({ outcome: { winners: [1], reason: "rules", scores: [] } })), "Bo won");
  assert.equal(resultWords(shown({ outcome: { winners: [0, 1, 2], reason: "rules", scores: [] } })), "Draw");
});

test("a link to a match names its players and its game", () => {
  assert.equal(watchWords(["Ann", "Bo"], "Kalah"), "Watch Ann – Bo: Kalah");
});
