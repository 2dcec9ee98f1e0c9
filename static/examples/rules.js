/**
 * The page of the rules: beside each rule a small board with its first example, which is drawn when it comes near the
 * view. A press on "Try it" puts the board that takes moves there.
 *
 * @typedef {object} Example games/pages/examples.py
 * @property {string} position
 * @property {number} seats
 * @property {Boards.State} state
 * @property {string[]} legal
 * @property {(string|number[])[]} line the moves to be played, and the faces of the dice
 * @property {string} refused a move that is refused then, "" if there is none
 */

import "../pages/page.js";
import { MiniBoard } from "../board/miniboard.js";
import { getJson } from "../net/json.js";
import { moduleAt } from "../net/module.js";
import { byId, findAll, part } from "../parts/elements.js";
import { setting } from "../parts/settings.js";
import { playerNames } from "../words/player-names.js";
import { createTrial } from "./trial.js";

const MARGIN = "300px";

const root = byId("rules");
const { game = "", board = "", examples: address = "", moves = "" } = root.dataset;
/** @type {Promise<[Example[][], Boards.Module]>|undefined} */
let asked;
/** @type {import("./trial.js").Trial|undefined} */
let trial;

const observer = new IntersectionObserver(
  (entries) => entries.filter(({ isIntersecting }) => isIntersecting).forEach(({ target }) => draw(target)),
  { rootMargin: MARGIN },
);
for (const figure of findAll(root, "[data-rule]")) {
  observer.observe(figure);
  part(figure, "try").addEventListener("click", () => open(figure));
}

/** The examples by rule and the module of the board, loaded once. */
function loaded() {
  return (asked ??= Promise.all([getJson(address).then(({ told }) => told ?? []), moduleAt(board)]));
}

/** @param {Element} figure */
async function draw(figure) {
  observer.unobserve(figure);
  const [examples, module] = await loaded();
  const still = figure instanceof HTMLElement ? part(figure, "still") : null;
  const [example] = examples[Number(figure.getAttribute("data-rule"))] ?? [];
  if (still && example) {
    const match = { id: game, game, players: playerNames(example.seats) };
    const small = new MiniBoard(still, module, still.clientWidth / still.clientHeight, () => setting("speed"));
    small.show({ match, ply: 0, state: example.state, outcome: null });
  }
}

/** @param {HTMLElement} figure */
async function open(figure) {
  const [examples, module] = await loaded();
  const ofRule = examples[Number(figure.dataset.rule)] ?? [];
  if (ofRule.length > 0) {
    trial ??= createTrial(module, moves);
    trial.open(figure, ofRule);
  }
}
