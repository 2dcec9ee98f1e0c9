/**
 * The page of a position: every seat is played here, the server says what a move leads to, and dice are rolled or typed.
 * The address and the text are those of the position on the board.
 *
 * @typedef {import("./steps.js").Told} Told
 * @typedef {import("./steps.js").Step} Step
 */

import "../pages/page.js";
import { bindTypedMoves } from "../actions/typed-moves.js";
import { Board } from "../board/board.js";
import { outcomeWords } from "../match/words.js";
import { createNotice } from "../match-page/notice.js";
import { moduleAt } from "../net/module.js";
import { byId, find, findAll } from "../parts/elements.js";
import { createNarration } from "../parts/narration.js";
import { onChange, setting } from "../parts/settings.js";
import { bindKeys } from "../parts/shortcuts.js";
import { signals } from "../parts/signals.js";
import { soundOf } from "../parts/sound.js";
import { bindDice } from "./dice-form.js";
import { createEditor } from "./editor.js";
import { stepAfter } from "./steps.js";
import { createTexts } from "./texts.js";
import { showValue } from "./value.js";

/* global gettext, interpolate */

const root = byId("position-page");
/** @type {Told & {names: string[], start: Boards.State}} */
const start = JSON.parse(byId("position").textContent ?? "");
const { board: drawing = "", edit: editing = "", moves: address = "" } = root.dataset;
const { names } = start;

begin(...(await Promise.all([moduleAt(drawing), editing ? moduleAt(editing) : null])));

/** @param {Boards.Module} module @param {Boards.Editing|null} edit what presses mean in the editor, if the game says so */
function begin(module, edit) {
  const narration = createNarration({ now: byId("say-soon"), soon: byId("say-soon") });
  const notice = createNotice(byId("notice"), () => "");
  const undo = byId("undo", HTMLButtonElement);
  const restart = byId("restart", HTMLButtonElement);
  const diceForm = byId("dice", HTMLFormElement);
  const showTexts = createTexts(root, start, narration.soon);
  const dice = bindDice(diceForm, { onRoll: (faces) => play({ dice: faces }), onRefusal: notice.refuse });
  /** @type {Step[]} */
  let line = [{ events: [], after: start }];
  let shown = 0;
  let bottom = 0;
  /** @type {string|null} */
  let waiting = null;

  const now = () => line[shown].after;
  const editor = createEditor(root, edit, { names, start: start.start, notice, onChange: draftChanged, onTold: showResult, onDone: edited });

  /** @returns {Boards.Sight} */
  function sight() {
    const draft = editor.draft();
    const { state, legal, outcome } = draft ? { state: draft, legal: [], outcome: null } : now();
    return { seat: state.turn, bottom, names, legal, outcome, pits: setting("pits"), visitor: true };
  }

  const board = new Board(byId("board"), byId("controls"), editor.face(module), {
    onMove: (move) => (editor.draft() ? editor.press(move) : play({ move })),
    onRefusal: notice.refuse,
    onTaken: notice.rest,
    onSelected: narration.soon,
    speed: () => setting("speed"),
    onShown: (ply) => {
      root.dataset.ply = String(ply);
    },
    onEvents: (events) => signals(events.map(({ kind }) => soundOf(module, kind))),
  });

  byId("edit").addEventListener("click", () => (editor.draft() ? editor.close() : editor.open(now())));
  undo.addEventListener("click", () => go(shown - 1));
  restart.addEventListener("click", () => go(0));
  byId("flip").addEventListener("click", flip);
  const textKey = bindTypedMoves(root, module, {
    shown: () => ({ state: now().state, sight: sight() }),
    onMove: (move) => play({ move }),
    refusal: () => (editor.draft() ? gettext("Finish editing first.") : null),
  });
  bindKeys([(key) => board.hotkey(key), textKey, hotkey]);
  onChange(() => draw());
  root.removeAttribute("data-loading");
  show();
  if (location.hash === "#text") {
    byId("text").focus();
  } else if (location.hash === "#set-up") {
    editor.open(now());
  }

  /** @param {string} key */
  function hotkey(key) {
    const button = { u: editor.draft() ? byId("edit-undo", HTMLButtonElement) : undo, e: byId("edit", HTMLButtonElement), f: byId("flip", HTMLButtonElement) }[key.toLowerCase()];
    button?.click();
    return button !== undefined;
  }

  /** Ask the server what a move or a roll leads to. @param {{move?: string, dice?: number[]}} action */
  async function play(action) {
    if (waiting !== null) {
      return;
    }
    waiting = action.move ?? "";
    notice.rest();
    draw();
    const before = line[shown];
    const step = await stepAfter(address, before.after.position, action);
    waiting = null;
    if (line[shown] !== before) {
      return;
    }
    if (typeof step === "string") {
      draw();
      notice.refuse(step);
      return;
    }
    line = [...line.slice(0, shown + 1), step];
    shown += 1;
    show();
  }

  /** @param {number} to the position to go back to */
  function go(to) {
    shown = Math.max(0, to);
    waiting = null;
    notice.rest();
    show(true);
  }

  /** Something was set up on the board, or the editor was opened or closed. */
  function draftChanged() {
    const draft = editor.draft();
    const words = draft ? toMove(draft) : inWords();
    byId("question").textContent = words;
    narration.soon(draft ? `${module.summary(draft, { ...sight(), seat: null })} ${words}` : words);
    showResult(draft ? null : now());
    draw(true);
  }

  /** @param {Told|null} told */
  function showResult(told) {
    showValue(byId("value"), told, names);
  }

  /** @param {Told} told the position that was set up */
  function edited(told) {
    line = [{ events: [], after: told }];
    go(0);
  }

  function flip() {
    bottom = (bottom + 1) % names.length;
    draw(true);
  }

  /** The position on the board has changed. @param {boolean} [leap] */
  function show(leap) {
    const { dice: due, outcome } = now();
    draw(leap);
    const active = document.activeElement;
    undo.disabled = restart.disabled = shown === 0;
    dice.show(due);
    if (due && shown > 0) {
      find(diceForm, "button").focus();
    } else if (diceForm.contains(active) || (active instanceof HTMLButtonElement && active.disabled)) {
      find(byId("board"), "[tabindex='0']").focus();
    }
    byId("play-not").hidden = !due && !outcome;
    findAll(byId("play"), "[type=submit]", HTMLButtonElement).forEach((button) => {
      button.disabled = Boolean(due ?? outcome);
    });
    showTexts(now());
    const words = inWords();
    byId("question").textContent = words;
    if (shown > 0) {
      narration.soon(words);
    }
  }

  /** What led here, and whose turn it is. */
  function inWords() {
    const { state, outcome, dice: due } = now();
    const { events } = line[shown];
    const told = events.map((event) => module.narrate(event, { ...sight(), seat: null }, state, events)).filter(Boolean);
    if (outcome) {
      return [...told, outcomeWords(outcome, names, null)].join(" ");
    }
    const turn = due ? gettext("Roll the dice.") : module.prompt(state, sight());
    return [...told, toMove(state), turn].join(" ");
  }

  /** @param {Boards.State} state */
  function toMove({ turn }) {
    return interpolate(gettext("To move: %(name)s."), { name: names[turn] }, true);
  }

  /** @param {number} number */
  function at(number) {
    const draft = editor.draft();
    if (draft) {
      return { state: draft, ply: null, last: null };
    }
    const step = line[number];
    const ply = step && { number, events: step.events };
    return step ? { state: step.after.state, ply: number > 0 ? ply : null, last: ply } : null;
  }

  /** @param {boolean} [leap] */
  function draw(leap) {
    const blocked = now().dice && !editor.draft() ? gettext("Roll the dice.") : null;
    board.update({ ply: shown, at, view: sight(), plays: true, waiting, blocked }, leap);
  }
}
