/**
 * The move list: one item per turn, one button per ply, and buttons to step through them. Turns of two players without
 * dice are short, and stand side by side in a column for each player.
 */

import { inEffect } from "../match/acts.js";
import { throwsApart, turns } from "../match/turns.js";
import { around } from "../parts/elements.js";

/* global gettext, interpolate */

/**
 * @typedef {import("../match/turns.js").Ply} Ply
 * @typedef {import("../match/turns.js").Turn} Turn
 * @typedef {"first"|"previous"|"next"|"last"} Way
 *
 * @typedef {object} Look
 * @property {ReadonlyArray<Ply|undefined>} plies
 * @property {number} shown the ply on the board
 * @property {number} last the newest ply
 * @property {boolean} behind whether an earlier position is on the board
 * @property {string[]} names
 * @property {boolean} paired whether turns stand in two columns
 * @property {Boards.Sight["pits"]} [pits] how pits are numbered in notation and words
 * @property {(ply: Ply) => string} notation
 * @property {(ply: Ply) => string} words
 */

/** @type {ReadonlyMap<string, Way>} */
const KEYS = new Map([["ArrowLeft", "previous"], ["ArrowRight", "next"], ["Home", "first"], ["End", "last"]]);
/** @type {Way[]} */
const WAYS = ["first", "previous", "next", "last"];
/** The faces of a die as characters. */
const DICE = [..."⚀⚁⚂⚃⚄⚅"];

export class MoveList {
  /** @type {Map<number, HTMLButtonElement>} */
  #buttons = new Map();
  #signature = "";
  #shown = 0;
  #last = 0;

  /**
   * @param {object} parts
   * @param {HTMLElement} parts.list
   * @param {HTMLElement} parts.heads the names above the columns
   * @param {Record<Way, HTMLButtonElement>} parts.buttons
   * @param {HTMLButtonElement} parts.live
   * @param {(to: number|null) => void} onStep a ply, or null for the newest
   */
  constructor({ list, heads, buttons, live }, onStep) {
    this.list = list;
    this.heads = heads;
    this.nav = buttons;
    this.live = live;
    this.onStep = onStep;
    for (const way of WAYS) {
      buttons[way].addEventListener("click", () => this.go(way));
    }
    live.addEventListener("click", () => onStep(null));
    list.addEventListener("click", (event) => {
      const ply = around(event, "[data-ply]")?.dataset.ply;
      if (ply !== undefined) {
        onStep(Number(ply));
      }
    });
    // The list's surroundings change size; keep the marked move in view.
    new ResizeObserver(() => this.#scroll()).observe(this.#box);
    list.addEventListener("keydown", (event) => {
      const way = KEYS.get(event.key);
      if (way && !event.ctrlKey && !event.altKey && !event.metaKey) {
        event.preventDefault();
        event.stopPropagation();
        this.go(way);
        this.#buttons.get(this.#shown)?.focus();
      }
    });
  }

  /** @param {Way} way */
  go(way) {
    const to = { first: 0, previous: this.#shown - 1, next: this.#shown + 1, last: null }[way];
    this.onStep(to === null || to >= this.#last ? null : Math.max(0, to));
  }

  /** @param {string} key @returns {boolean} whether the key moved through the list */
  key(key) {
    const way = KEYS.get(key);
    if (way) {
      this.go(way);
    }
    return way !== undefined;
  }

  /** @param {Look} look */
  update(look) {
    const signature = `${look.pits} ${look.plies.map((ply) => (ply ? 1 : 0)).join("")}`;
    const grown = signature !== this.#signature;
    if (grown) {
      this.#signature = signature;
      this.#build(look);
    }
    const moved = grown || this.#shown !== look.shown || this.#last !== look.last;
    this.#shown = look.shown;
    this.#last = look.last;
    this.#mark();
    if (moved) {
      this.#scroll();
    }
    this.nav.first.disabled = this.nav.previous.disabled = look.shown === 0;
    this.nav.next.disabled = this.nav.last.disabled = look.shown === look.last;
    this.live.hidden = !look.behind;
  }

  /** @param {Look} look */
  #build(look) {
    const { plies } = look;
    const active = document.activeElement;
    const focused = active instanceof HTMLElement && this.list.contains(active) ? active.dataset.ply : undefined;
    this.#buttons = new Map();
    const standing = new Set(inEffect(plies, plies.length));
    const rows = turns(plies);
    const first = rows.find(({ seat }) => seat !== null)?.seat ?? 0;
    this.list.replaceChildren(...rows.map((row) => this.#row(row, look, standing, first)));
    this.#head(look, first);
    this.#buttons.get(Number(focused))?.focus();
  }

  /** The names above two columns. @param {Look} look @param {number} first the seat of the first column */
  #head({ names, paired, plies }, first) {
    this.list.toggleAttribute("data-paired", paired);
    this.heads.hidden = !paired || !plies.some(Boolean);
    if (paired) {
      [...this.heads.children].forEach((head, column) => {
        head.textContent = names[column === 0 ? first : 1 - first];
      });
    }
  }

  /**
   * @param {Turn} turn
   * @param {Look} look
   * @param {Set<Ply>} standing the plies in effect
   * @param {number} first the seat of the first column
   */
  #row({ seat, act, moved, plies }, { names, paired, notation, words }, standing, first) {
    const row = document.createElement("li");
    row.className = act ? "turn turn-act" : "turn";
    row.toggleAttribute("data-unmoved", !moved);
    row.toggleAttribute("data-second", paired && !act && seat !== first);
    const name = document.createElement("span");
    name.className = paired ? "visually-hidden" : "turn-name";
    name.textContent = seat === null ? "" : names[seat];
    const moves = document.createElement("span");
    moves.className = "turn-plies";
    for (const group of throwsApart(plies)) {
      const together = document.createElement("span");
      together.className = "turn-throw";
      for (const ply of group) {
        const text = notation(ply);
        if (text) {
          together.append(this.#button(ply, text, words(ply), !act && !standing.has(ply)));
        }
      }
      moves.append(together);
    }
    row.append(...(act ? [] : [name]), moves);
    return row;
  }

  /** @param {Ply} ply @param {string} text @param {string} title @param {boolean} undone */
  #button(ply, text, title, undone) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "ply";
    button.dataset.ply = String(ply.number);
    if (undone) {
      button.append(takenBack(text));
    } else {
      button.append(...withDice(text));
    }
    button.title = undone ? interpolate(gettext("%(words)s Taken back."), { words: title }, true) : title;
    button.tabIndex = -1;
    this.#buttons.set(ply.number, button);
    return button;
  }

  /** Mark the ply on the board, which is the list's one tab stop. */
  #mark() {
    for (const [number, button] of this.#buttons) {
      const here = number === this.#shown;
      button.toggleAttribute("aria-current", here);
      if (here) {
        button.setAttribute("aria-current", "step");
      }
      button.tabIndex = here ? 0 : -1;
    }
    if (!this.#buttons.has(this.#shown)) {
      this.#buttons.values().next().value?.setAttribute("tabindex", "0");
    }
  }

  get #box() {
    return /** @type {HTMLElement} */ (this.list.closest("[data-scroll]"));
  }

  /** Scroll only the list, never the page; to a whole turn if there is space. */
  #scroll() {
    const box = this.#box;
    const button = this.#buttons.get(this.#shown);
    if (!button) {
      box.scrollTop = this.#shown === 0 ? 0 : box.scrollTop;
      return;
    }
    const row = button.closest("li") ?? button;
    const inner = (row.offsetHeight > box.clientHeight ? button : row).getBoundingClientRect();
    const outer = box.getBoundingClientRect();
    if (inner.top < outer.top) {
      box.scrollTop -= outer.top - inner.top;
    } else if (inner.bottom > outer.top + box.clientHeight) {
      box.scrollTop += inner.bottom - outer.top - box.clientHeight;
    }
  }
}

/**
 * The notation of a ply. Thrown dice are shown as dice, and read as numbers.
 *
 * @param {string} text such as "[5 2] bust"
 * @returns {(Node|string)[]}
 */
function withDice(text) {
  const [before, faces, after] = text.split(/\[([1-6 ]+)\]/);
  if (faces === undefined) {
    return [text];
  }
  const dice = document.createElement("span");
  dice.className = "ply-dice";
  dice.dataset.faces = faces.replaceAll(" ", "").replace(/\d/g, (face) => DICE[Number(face) - 1]);
  const numbers = document.createElement("span");
  numbers.className = "visually-hidden";
  numbers.textContent = `[${faces}]`;
  return [before, dice, numbers, after];
}

/** A move that was taken back: struck out, with a text alternative. @param {string} text */
function takenBack(text) {
  const struck = document.createElement("s");
  const said = document.createElement("span");
  said.className = "visually-hidden";
  said.textContent = ` (${gettext("taken back")})`;
  struck.append(text, said);
  return struck;
}
