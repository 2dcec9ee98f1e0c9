/**
 * The board of a study: both sides move, dice are thrown or chosen, and every move becomes a node of the tree.
 *
 * @typedef {object} Ply what a node led to
 * @property {string} action
 * @property {number[]|null} dice
 * @property {Boards.Event[]} events
 * @property {Boards.State} state
 * @property {string} position
 * @property {string[]} legal
 * @property {{count: number, sides: number}|null} due
 * @property {Boards.Outcome|null} outcome
 * @property {import("../positions/value.js").Value|null} value
 *
 * @typedef {{position: string, nodes: import("./tree.js").NodeFields[]}} Chapter
 */

import { bindTextKey } from "../actions/commandbox.js";
import { bindTypedMoves } from "../actions/typed-moves.js";
import { Board } from "../board/board.js";
import { isDeparture } from "../match/acts.js";
import { departureWords } from "../match/act-words.js";
import { moveInWords } from "../match/move-words.js";
import { nameOfMove, notationOf, outcomeWords } from "../match/words.js";
import { createNotice } from "../match-page/notice.js";
import { bindPanel } from "../moves/steps.js";
import { bindSwipe } from "../moves/swipe.js";
import { around, byId, find, findAll } from "../parts/elements.js";
import { createNarration } from "../parts/narration.js";
import { setting } from "../parts/settings.js";
import { bindKeys } from "../parts/shortcuts.js";
import { bindDice } from "../positions/dice-form.js";
import { linkTo } from "../positions/texts.js";
import { valueWords } from "../positions/value.js";
import { createEvaluations } from "./evaluation.js";
import { createList } from "./list.js";
import { bindMarks, drawMarks, toggled } from "./marks.js";
import { START } from "./tree.js";

/* global gettext, interpolate, ngettext */

/**
 * @typedef {import("./tree.js").Operation} Operation
 *
 * @typedef {object} Way
 * @property {string[]} names
 * @property {(operation: Operation) => void} edit carries out an operation: it changes the tree, and tells the board
 * @property {() => {write: boolean, comment: boolean}} may
 * @property {(id: number) => void} [onGo]
 */

/**
 * @param {HTMLElement} root
 * @param {Boards.Module} module
 * @param {ReturnType<typeof import("./tree.js").createTree>} tree
 * @param {Way} way
 */
export function createStudyBoard(root, module, tree, { names, edit, may, onGo }) {
  /** @type {Map<number, Ply>} */
  const plies = new Map();
  let current = START;
  let bottom = 0;
  /** The nodes to the current one, as another editor may remove it. @type {number[]} */
  let way = [START];
  /** @type {string|null} */
  let waiting = null;
  /** Whether the focus came to the board by a press. */
  let isPointed = false;

  const narration = createNarration({ now: byId("say-soon"), soon: byId("say-soon") });
  const notice = createNotice(byId("notice"), () => "");
  const comment = byId("comment", HTMLTextAreaElement);
  const list = createList(byId("tree"), tree, { notation, onGo: go });
  const diceForm = document.getElementById("dice");
  const dice = diceForm && bindDice(/** @type {HTMLFormElement} */ (diceForm), { onRoll: (faces) => play("dice", faces), onRefusal: notice.refuse });
  const board = new Board(byId("board"), byId("controls"), module, {
    onMove: (move) => play(move),
    onRefusal: notice.refuse,
    onTaken: notice.rest,
    onSelected: narration.soon,
    speed: () => setting("speed"),
  });
  const textKey = bindTypedMoves(root, module, { shown: () => ({ state: ply().state, sight: sight() }), onMove: (move) => play(move) });
  bindKeys([(key) => board.hotkey(key), textKey, bindTextKey(comment, "#"), onKey]);
  byId("board").addEventListener("pointerdown", () => {
    isPointed = true;
  });
  // Before the board takes them.
  document.addEventListener("keydown", onArrow, true);
  for (const [id, step] of Object.entries({ first, previous, next, last })) {
    byId(id).addEventListener("click", step);
  }
  byId("turn-board").addEventListener("click", flip);
  bindPanel(/** @type {HTMLElement} */ (byId("tree").closest("section")));
  bindSwipe(byId("board"), { may: () => true, onSwipe: (way) => (way === "next" ? next() : previous()) });
  byId("glyphs").addEventListener("click", (event) => {
    const glyph = around(event, "[data-glyph]")?.dataset.glyph;
    if (glyph !== undefined) {
      edit({ kind: "glyph", node: current, glyph: here().glyph === glyph ? "" : glyph });
    }
  });
  const evaluations = createEvaluations(root.dataset.evaluation ?? "", byId("evaluate"), {
    shown,
    onTold(told, isFinal) {
      byId("deepening").hidden = told === null;
      for (const [id, words] of Object.entries({ evaluation: told?.words, share: told?.value, depth: told?.depth, line: told?.line })) {
        byId(id).textContent = words ?? "";
      }
      // Not each depth.
      if (told && isFinal) {
        narration.soon(told.words);
      }
    },
  });
  bindMarks(byId("board"), byId("draw"), {
    may: () => may().write,
    onMark: (mark) => edit({ kind: "marks", node: current, marks: toggled(here().marks, mark) }),
  });
  comment.addEventListener("change", () => edit({ kind: "comment", node: current, text: comment.value.trim() }));
  byId("promote").addEventListener("click", () => {
    const turn = tree.turn(current);
    if (turn) {
      edit({ kind: "promote", node: turn.id });
    }
  });
  byId("remove").addEventListener("click", () => {
    const { id, parent } = here();
    if (parent !== null) {
      go(parent);
      edit({ kind: "remove", node: id });
    }
  });

  const here = () => /** @type {import("./tree.js").Node} */ (tree.node(current));
  const ply = (id = current) => /** @type {Ply} */ (plies.get(id));

  /** @returns {Boards.Sight} */
  function sight(id = current) {
    const { state, legal, outcome } = ply(id);
    return { seat: state.turn, bottom, names, legal, outcome, pits: setting("pits"), visitor: true };
  }

  /** The same for words, in which every seat is called by its name. */
  const words = () => ({ ...sight(), seat: null });

  /** How the list shows a node. @param {import("./tree.js").Node} node */
  function notation(node) {
    const made = ply(node.id);
    const number = node.dice ? null : tree.path(node.id).filter((each) => each.parent !== null && !each.dice).length;
    const text = notationOf({ ...made, number: node.id, seat: null, command: null, at: "" }, module, sight(node.id));
    return { number, text: text || moveInWords(node.action) };
  }

  /** What is evaluated. */
  function shown() {
    const { state, legal, position } = ply();
    /** @param {string} move @param {number} turn */
    const nameOf = (move, turn) => nameOfMove(move, module, { ...state, turn }, sight());
    return legal.length ? { position, names, nameOf } : null;
  }

  /** Go to a move if it is in the tree, else add it. @param {string} action @param {number[]|null} [dice] */
  function play(action, dice = null) {
    const known = tree.found(current, action, dice);
    if (known) {
      go(known.id);
    } else if (!may().write) {
      notice.refuse(gettext("You cannot add moves to this study."));
    } else if (waiting === null) {
      waiting = action;
      notice.rest();
      draw();
      edit({ kind: "add", parent: current, action, dice });
    }
  }

  // Stepping

  function first() {
    go(START);
  }

  function previous() {
    go(here().parent ?? START);
  }

  function next() {
    go(tree.children(current)[0]?.id ?? current);
  }

  function last() {
    go(tree.end(current));
  }

  /** To the next variation of the same move. @param {1|-1} way */
  function beside(way) {
    const { parent } = here();
    const siblings = parent === null ? [] : tree.children(parent);
    const at = siblings.findIndex(({ id }) => id === current);
    go(siblings[at + way]?.id ?? current);
  }

  function flip() {
    bottom = (bottom + 1) % names.length;
    draw(true);
  }

  /** Play the best move, or evaluate. */
  function playBest() {
    const best = evaluations.best();
    if (!evaluations.isOn()) {
      byId("evaluate").click();
    } else if (best !== null) {
      play(best);
    }
  }

  /** The keys of lichess, besides those of Parlour. @param {string} key */
  function onKey(key) {
    const step = { j: next, k: previous, J: () => beside(1), K: () => beside(-1), 0: first, $: last }[key];
    step?.();
    const evaluate = byId("evaluate");
    const control = { t: diceForm?.querySelector("button"), f: byId("turn-board"), d: byId("draw"), e: evaluate, l: evaluate }[key.toLowerCase()];
    control?.click();
    return Boolean(step ?? control);
  }

  /**
   * Arrows step and the space bar plays the best move, unless a text field has the focus. On the board they move the
   * focus and press, for whoever came there by key.
   *
   * @param {KeyboardEvent} event
   */
  function onArrow(event) {
    const busy = event.ctrlKey || event.altKey || event.metaKey;
    isPointed &&= event.key !== "Tab";
    if (busy || around(event, "input, textarea, select, dialog") || (!isPointed && around(event, "#board"))) {
      return;
    }
    /** @type {Record<string, () => void>} */
    const steps = event.shiftKey
      ? { ArrowLeft: () => beside(-1), ArrowRight: () => beside(1) }
      : { ArrowLeft: previous, ArrowRight: next, ArrowUp: first, ArrowDown: last, Home: first, End: last };
    const isFree = event.target === document.body || around(event, "#board");
    const step = event.key === " " && isFree && setting("keys") !== "off" ? playBest : steps[event.key];
    if (step) {
      event.preventDefault();
      event.stopPropagation();
      step();
    }
  }

  /** Show a node. @param {number} id */
  function go(id) {
    if (id === current) {
      return;
    }
    const leap = tree.node(id)?.parent !== current;
    current = id;
    waiting = null;
    board.reset();
    notice.rest();
    show(leap);
    onGo?.(id);
    tell();
  }

  /** Say what is shown. */
  function tell() {
    narration.soon([eventsInWords(), glyphInWords(), here().comment || summary(), valueInWords(), marksInWords()].filter(Boolean).join(" "));
  }

  // Showing

  function show(leap = false) {
    const { parent, glyph, comment: text } = here();
    const { due } = ply();
    const { write } = may();
    list.go(current);
    way = tree.path(current).map(({ id }) => id);
    root.dataset.node = String(current);
    byId("headline").textContent = [eventsInWords(), glyphInWords()].filter(Boolean).join(" ") || summary();
    byId("reason").textContent = text;
    byId("value").textContent = valueInWords();
    evaluations.update();
    if (document.activeElement !== comment) {
      comment.value = text;
    }
    for (const button of findAll(byId("glyphs"), "[data-glyph]", HTMLButtonElement)) {
      button.disabled = parent === null || !write;
      button.setAttribute("aria-pressed", String(button.dataset.glyph === glyph && glyph !== ""));
    }
    byId("draw", HTMLButtonElement).disabled = !write;
    byId("remove", HTMLButtonElement).disabled = parent === null || !write;
    byId("promote", HTMLButtonElement).disabled = tree.turn(current) === undefined || !write;
    comment.readOnly = !may().comment;
    for (const id of ["first", "previous"]) {
      byId(id, HTMLButtonElement).disabled = parent === null;
    }
    for (const id of ["next", "last"]) {
      byId(id, HTMLButtonElement).disabled = tree.children(current).length === 0;
    }
    byId("position-text", HTMLInputElement).value = ply().position;
    linkTo(root, ply().position);
    dice?.show(write ? due : null);
    draw(leap);
  }

  /** @param {boolean} [leap] */
  function draw(leap) {
    const path = tree.path(current);
    /** @param {number} number */
    const at = (number) => {
      const node = path[number];
      const made = node && plies.get(node.id);
      const last = made ? { number, events: made.events } : null;
      return made ? { state: made.state, ply: number > 0 ? last : null, last } : null;
    };
    const { due, outcome } = ply();
    const blocked = outcome ? gettext("The match is over.") : due ? gettext("Roll the dice.") : null;
    /** @param {Boards.State} state @param {Boards.View} view */
    const over = (state, view) => [drawMarks(here().marks, module, state, view)];
    board.update({ ply: path.length - 1, at, view: sight(), plays: true, waiting, blocked, over }, leap);
  }

  /** What the move did. */
  function eventsInWords() {
    const { parent } = here();
    if (parent === null) {
      return "";
    }
    const { events } = ply();
    const sentences = events.map((event) => (isDeparture(event) ? departureWords(event, words()) : module.narrate(event, words(), ply(parent).state, events)));
    const { outcome } = ply();
    return [...sentences, outcome && `${outcomeWords(outcome, names, null)}.`].filter(Boolean).join(" ");
  }

  /** Whose turn it is, and the choices. */
  function summary() {
    const { state, due, outcome } = ply();
    const turn = interpolate(gettext("%(name)s to move"), { name: names[state.turn] }, true);
    return outcome ? "" : `${turn}. ${due ? gettext("Roll the dice.") : module.prompt(state, sight())}`;
  }

  /** The result, if it is proved. */
  function valueInWords() {
    const { value, state } = ply();
    return value ? valueWords(value, state.turn, names) : "";
  }

  function marksInWords() {
    const count = here().marks.length;
    return count && interpolate(ngettext("%(count)s mark on the board.", "%(count)s marks on the board.", count), { count }, true);
  }

  function glyphInWords() {
    const { glyph } = here();
    return glyph && `${glyphName(glyph)}.`;
  }

  /** @param {string} glyph */
  const glyphName = (glyph) => find(byId("glyphs"), `[data-glyph="${glyph}"]`).getAttribute("aria-label") ?? "";

  return {
    narration,
    notice,

    go,
    others: list.others,
    /** @param {number} id */
    has: (id) => tree.node(id) !== undefined,

    /** The text of the position at a node. @param {number} id */
    positionOf: (id) => ply(id).position,

    /** Show a tree that came with its plies. @param {Record<string, Ply>} known @param {number} [id] the node to show */
    begin(known, id = START) {
      plies.clear();
      this.learn(known);
      waiting = null;
      current = tree.node(id) ? id : START;
      root.removeAttribute("data-loading");
      list.draw();
      show(true);
    },

    /** Take the plies of new nodes. @param {Record<string, Ply>} known */
    learn(known) {
      for (const [id, made] of Object.entries(known)) {
        plies.set(Number(id), made);
      }
    },

    /** The tree has changed. */
    changed() {
      const isGone = !tree.node(current);
      if (isGone) {
        current = [...way].reverse().find((id) => tree.node(id)) ?? START;
      }
      list.draw();
      show(true);
      if (isGone) {
        tell();
      }
    },

    glyphName,
    /** What a node is called. @param {import("./tree.js").Node} node */
    nameOf: (node) => (node.parent === null ? gettext("the start") : notation(node).text),

    /** What the user wanted was refused. @param {string} words */
    refused(words) {
      waiting = null;
      show();
      notice.refuse(words);
    },

    get current() {
      return current;
    },
  };
}
