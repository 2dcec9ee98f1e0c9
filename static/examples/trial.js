/**
 * The board on which the examples of a rule are played. The server plays each move by the rules; the dice are those of
 * the example.
 *
 * @typedef {import("./rules.js").Example} Example
 * @typedef {ReturnType<typeof createTrial>} Trial
 * @typedef {import("../positions/steps.js").Told} Told
 * @typedef {import("../positions/steps.js").Step} Step
 */

import { nameOfMove } from "../match/words.js";
import { byId, find, made } from "../parts/elements.js";
import { setting } from "../parts/settings.js";
import { stepAfter } from "../positions/steps.js";
import { createLine } from "../puzzles/line.js";
import { playerNames } from "../words/player-names.js";
import { say } from "../words/sentences.js";

/* global gettext */

/**
 * @param {Boards.Module} module
 * @param {string} moves the address that plays a move in a position
 */
export function createTrial(module, moves) {
  const root = made(byId("example-board", HTMLTemplateElement));
  document.body.append(root);
  const line = createLine(root, module, { seat: 0, names: [], onMove: (move) => void tried(move), onEnd: played });
  const [question, verdict, next] = [byId("question"), byId("verdict"), byId("next", HTMLButtonElement)];
  /** @type {Example[]} */
  let examples = [];
  /** The one on the board. */
  let nth = 0;
  /** The position in which the next move is played. @type {Pick<Told, "position"|"state"|"legal">} */
  let now = { position: "", state: { turn: 0 }, legal: [] };
  /** How much of the example's line has been played; null once another move has. @type {number|null} */
  let reached = 0;
  /** The steps that the board is showing. @type {Step[]} */
  let steps = [];
  let isAsking = false;

  byId("again").addEventListener("click", () => begin(nth));
  next.addEventListener("click", () => begin((nth + 1) % examples.length));
  byId("show").addEventListener("click", () => {
    if (wanted() === null) {
      begin(nth);
    }
    void tried(wanted() ?? "");
  });

  /** The move that the example plays or tries next; null at its end. */
  function wanted() {
    const { line: actions, refused } = examples[nth];
    const action = reached === null ? undefined : actions[reached];
    return typeof action === "string" ? action : (reached === actions.length && refused) || null;
  }

  /** Begin an example. @param {number} number */
  function begin(number) {
    nth = number;
    reached = 0;
    steps = [];
    now = examples[nth];
    root.dataset.position = now.position;
    verdict.textContent = "";
    byId("answer").textContent = "";
    byId("progress").textContent = `${nth + 1}/${examples.length}`;
    next.hidden = examples.length === 1;
    show([]);
    line.narration.soon(`${line.inWords()} ${question.textContent}`);
  }

  /** Show the position in which the next move is played, and what to do there. @param {Boards.Event[]} before */
  function show(before) {
    const [move, { length }] = [wanted(), examples[nth].line];
    line.notice.rest();
    line.begin({ ...players(), state: now.state, before, legal: now.legal }, move);
    question.textContent = move === null ? "" : say(reached === length ? gettext("Not allowed: %(move)s. Try it and see why.") : gettext("Your move: %(move)s."), { move: named(move) });
  }

  /** A move as its button has it, or by its name. @param {string} move */
  function named(move) {
    const view = { ...players(), legal: now.legal, outcome: null, pits: setting("pits"), selection: null, preview: null, last: null, narrow: false };
    return module.controls(now.state, view).find((control) => control.move === move)?.label ?? nameOfMove(move, module, now.state, view);
  }

  /** Who plays, and who is at the bottom. */
  function players() {
    const { seats, state } = examples[nth];
    return { seat: now.state.turn, bottom: state.turn, names: playerNames(seats) };
  }

  /** @param {string} move on the board, or any text */
  async function tried(move) {
    if (isAsking) {
      return;
    }
    isAsking = true;
    line.notice.rest();
    line.wait(move);
    const [asked, position] = [nth, now.position];
    const found = await stepsOf(move, position, move === wanted());
    isAsking = false;
    line.wait(null);
    if (asked !== nth || position !== now.position) {
      return;
    }
    if (typeof found === "string") {
      line.notice.refuse(found);
      return;
    }
    steps = found;
    reached = move === wanted() ? (reached ?? 0) + steps.length : null;
    now = found[found.length - 1].after;
    line.play(steps.map(({ events, after }, ply) => ({ number: ply + 1, events, state: after.state, outcome: after.outcome })), gettext("Press “Again” to start over."));
  }

  /**
   * The steps of a move and of the roll that it asks for, or why it is refused.
   *
   * @param {string} move
   * @param {string} position
   * @param {boolean} isWanted
   * @returns {Promise<Step[]|string>}
   */
  async function stepsOf(move, position, isWanted) {
    const first = await stepAfter(moves, position, { move });
    if (typeof first === "string" || !first.after.dice) {
      return typeof first === "string" ? first : [first];
    }
    const faces = isWanted ? examples[nth].line[(reached ?? 0) + 1] : undefined;
    if (!Array.isArray(faces)) {
      return gettext("This example has no roll for that move.");
    }
    const second = await stepAfter(moves, first.after.position, { dice: faces });
    return typeof second === "string" ? second : [first, second];
  }

  /** The move is on the board: what it did, and what is next. */
  function played() {
    const events = steps.at(-1)?.events;
    if (!events) {
      return;
    }
    steps = [];
    root.dataset.position = now.position;
    verdict.textContent = line.told();
    if (reached === null) {
      question.textContent = gettext("You may do that. The example shows another move: press “Again”.");
    } else if (wanted() === null) {
      question.textContent = "";
    } else {
      show(events);
    }
    line.narration.soon(`${verdict.textContent} ${question.textContent}`);
  }

  return {
    /** Go to a rule, with its examples. @param {HTMLElement} figure @param {Example[]} ofRule */
    open(figure, ofRule) {
      document.querySelector(".example[data-open]")?.removeAttribute("data-open");
      figure.setAttribute("data-open", "");
      figure.append(root);
      examples = ofRule;
      begin(0);
      find(root, ".board [tabindex='0']").focus({ preventScroll: true });
      root.scrollIntoView({ block: "nearest" });
    },
  };
}
