/** The design page: what only scripts can show. Boards of every game, player strips, sounds. */

import "./page.js";
import { celebrate } from "../board/falling.js";
import { marked, viewOf } from "../board/miniboard.js";
import { moduleAt } from "../net/module.js";
import { byId, findAll, part } from "../parts/elements.js";
import { isStill } from "../parts/settings.js";
import { signal } from "../parts/signals.js";
import { SOUNDS, isSound } from "../parts/sound.js";
import { createPlayers } from "../players/strips.js";
import { picture } from "../shapes/patch.js";
import { seatMark } from "../shapes/svg.js";

/* global gettext */

const NAMES = ["Otter", "Fox", "Heron", "Magpie", "Badger", "Lynx", "Marmot", "Ibis"];

for (const swatch of findAll(document, "[data-token]")) {
  swatch.style.backgroundColor = `var(--${swatch.dataset.token})`;
}
await Promise.all(findAll(document, ".design-board").map(showBoard));
showStrips();
byId("design-let-fall").addEventListener("click", () => {
  if (!isStill()) {
    celebrate(byId("design-fall"), gettext("You won"), true);
  }
});
byId("design-sound-list").append(...Object.keys(SOUNDS).filter(isSound).map(soundButton));
byId("design-sound-list").dataset.ready = "";

/**
 * The board of one game, wide and narrow, as seen by the player on turn.
 *
 * @param {HTMLElement} figure
 * @param {number} nth
 */
async function showBoard(figure, nth) {
  /** @type {Boards.Module} */
  const module = await moduleAt(figure.dataset.module ?? "");
  /** @type {{state: Boards.State, legal: string[]}} */
  const { state, legal } = JSON.parse(figure.dataset.shown ?? "");
  for (const room of findAll(figure, ".design-art")) {
    const narrow = room.dataset.looks === "narrow";
    const match = { id: "", game: "", players: NAMES };
    const sight = viewOf({ match, events: [], outcome: null });
    const view = { ...sight, names: NAMES.slice(0, 2), seat: state.turn, bottom: state.turn, legal, narrow };
    // Drawings refer to colours by id, so ids need a prefix for each drawing.
    const shapes = module.draw(state, view).map((shape) => marked(shape, `design-${nth}-${narrow}-`));
    room.replaceChildren(picture(shapes, `0 0 ${module.viewBox(state, view).join(" ")}`, "board-art"));
  }
}

/** Two players in every state of their strips. */
function showStrips() {
  const place = byId("design-strips");
  createPlayers({ others: part(place, "others"), mine: part(place, "mine") }, seatMark).update({
    names: NAMES,
    you: 0,
    bottom: 0,
    present: [0, 1, 2, 3, 4],
    left: new Map([[5, "resigned"]]),
    caretaken: [6],
    levels: [null, null, 3, 5, null, null, null, null],
    thinking: 3,
    turn: 0,
    winners: [4],
    standings: [],
    slow: false,
    tally: (seat) => String(7 * seat),
  });
}

/** @param {import("../parts/sound.js").Name} name */
function soundButton(name) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button";
  button.dataset.sound = name;
  button.textContent = name;
  button.title = gettext("Play this sound");
  button.addEventListener("click", () => signal(name));
  return button;
}
