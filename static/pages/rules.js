/** The page of a game's rules: the board as it stands at the start, drawn by the game's own module. */

import { moduleAt } from "../net/module.js";
import { byId } from "../parts/elements.js";
import { patch } from "../shapes/patch.js";

/** CSS pixels below which a board draws itself for a narrow screen. */
const NARROW = 520;

const root = byId("start");
/** @type {Boards.Module} */
const board = await moduleAt(root.dataset.board ?? "");
/** @type {Boards.State} */
const state = JSON.parse(root.dataset.state ?? "");
const art = document.createElementNS("http://www.w3.org/2000/svg", "svg");
root.prepend(art);
root.hidden = false;
draw();

function draw() {
  /** @type {Boards.View} */
  const view = {
    seat: null,
    bottom: 0,
    names: JSON.parse(root.dataset.names ?? ""),
    legal: [],
    selection: null,
    preview: null,
    last: null,
    outcome: null,
    narrow: root.clientWidth < NARROW,
  };
  art.setAttribute("viewBox", `0 0 ${board.viewBox(state, view).join(" ")}`);
  art.setAttribute("role", "img");
  art.setAttribute("aria-label", board.summary(state, view));
  patch(art, board.draw(state, view));
}
