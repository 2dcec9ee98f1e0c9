// @ts-nocheck Typed when this folder has been taken apart.
/** The moves so far: one row per turn, one button per ply, and the way back and forth through them. */

import { actOf, inEffect } from "../match/acts.js";

/* global gettext, interpolate */

/**
 * Plies of one turn share a row: moves in a row by the same seat, with the dice between them. What happened
 * beside the game has a row of its own, which is nobody's.
 *
 * @param {ReadonlyArray<import("../match/store.js").Ply|undefined>} plies
 * @returns {Array<{seat: number|null, act: boolean, plies: import("../match/store.js").Ply[]}>}
 */
export function turns(plies) {
  const rows = [];
  for (const ply of plies) {
    if (!ply) {
      continue;
    }
    const row = rows.at(-1);
    if (actOf(ply.action)) {
      rows.push({ seat: null, act: true, plies: [ply] });
    } else if (row && !row.act && (ply.seat === null || ply.seat === row.seat)) {
      row.plies.push(ply);
    } else {
      rows.push({ seat: ply.seat, act: false, plies: [ply] });
    }
  }
  return rows;
}

const KEYS = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" };

export class MoveList {
  /** @type {Map<number, HTMLButtonElement>} */
  #buttons = new Map();
  #signature = "";
  #shown = 0;
  #last = 0;

  /**
   * @param {{list: HTMLElement, buttons: Record<"first"|"previous"|"next"|"last", HTMLButtonElement>, live: HTMLButtonElement}} parts
   * @param {(to: number|null) => void} onStep a ply, or null for the newest
   */
  constructor({ list, buttons, live }, onStep) {
    Object.assign(this, { list, nav: buttons, live, onStep });
    for (const [way, button] of Object.entries(buttons)) {
      button.addEventListener("click", () => this.go(way));
    }
    live.addEventListener("click", () => onStep(null));
    list.addEventListener("click", (event) => {
      const ply = event.target.closest("[data-ply]")?.dataset.ply;
      if (ply !== undefined) {
        onStep(Number(ply));
      }
    });
    // What is around the list grows and shrinks; the marked move stays in sight.
    new ResizeObserver(() => this.#scroll()).observe(this.#box);
    list.addEventListener("keydown", (event) => {
      if (event.key in KEYS && !event.ctrlKey && !event.altKey && !event.metaKey) {
        event.preventDefault();
        event.stopPropagation();
        this.go(KEYS[event.key]);
        this.#buttons.get(this.#shown)?.focus();
      }
    });
  }

  /** @param {"first"|"previous"|"next"|"last"} way */
  go(way) {
    const to = { first: 0, previous: this.#shown - 1, next: this.#shown + 1, last: null }[way];
    this.onStep(to === null || to >= this.#last ? null : Math.max(0, to));
  }

  /** @returns {boolean} whether a key moves through the list, which it then did */
  key(key) {
    if (key in KEYS) {
      this.go(KEYS[key]);
    }
    return key in KEYS;
  }

  /**
   * @param {object} look
   * @param {ReadonlyArray<import("../match/store.js").Ply|undefined>} look.plies
   * @param {number} look.shown the ply on the board
   * @param {number} look.last the newest ply
   * @param {boolean} look.behind whether somebody looks at an earlier position
   * @param {string[]} look.names
   * @param {(ply: any) => string} look.notation
   * @param {(ply: any) => string} look.words
   */
  update(look) {
    const signature = look.plies.map((ply) => (ply ? 1 : 0)).join("");
    if (signature !== this.#signature) {
      this.#signature = signature;
      this.#build(look);
    }
    const moved = this.#shown !== look.shown || this.#last !== look.last;
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

  #build({ plies, names, notation, words }) {
    const focused = this.list.contains(document.activeElement) ? document.activeElement.dataset.ply : undefined;
    this.#buttons = new Map();
    const standing = new Set(inEffect(plies, plies.length));
    this.list.replaceChildren(...turns(plies).map((row) => this.#row(row, names, notation, words, standing)));
    this.#buttons.get(Number(focused))?.focus();
  }

  #row({ seat, act, plies }, names, notation, words, standing) {
    const row = document.createElement("li");
    row.className = act ? "turn turn-act" : "turn";
    const name = document.createElement("span");
    name.className = "turn-name";
    name.textContent = seat === null ? "" : names[seat];
    const moves = document.createElement("span");
    moves.className = "turn-plies";
    for (const ply of plies) {
      const text = notation(ply);
      if (text) {
        moves.append(this.#button(ply, text, words(ply), !act && !standing.has(ply)));
      }
    }
    row.append(...(act ? [] : [name]), moves);
    return row;
  }

  #button(ply, text, title, undone) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "ply";
    button.dataset.ply = String(ply.number);
    if (undone) {
      button.append(takenBack(text));
    } else {
      button.textContent = text;
    }
    button.title = undone ? interpolate(gettext("%(words)s Taken back."), { words: title }, true) : title;
    button.tabIndex = -1;
    this.#buttons.set(ply.number, button);
    return button;
  }

  /** The ply on the board is marked, and is the list's one tab stop. */
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
    return this.list.closest("[data-scroll]");
  }

  /** Only the list itself scrolls, never the page around it. */
  #scroll() {
    const box = this.#box;
    const button = this.#buttons.get(this.#shown);
    if (!button) {
      box.scrollTop = this.#shown === 0 ? 0 : box.scrollTop;
      return;
    }
    const inner = button.getBoundingClientRect();
    const outer = box.getBoundingClientRect();
    if (inner.top < outer.top) {
      box.scrollTop -= outer.top - inner.top;
    } else if (inner.bottom > outer.bottom) {
      box.scrollTop += inner.bottom - outer.bottom;
    }
  }
}

/** A move that no longer counts: struck out for the eye, and said to be so. */
function takenBack(text) {
  const struck = document.createElement("s");
  const said = document.createElement("span");
  said.className = "visually-hidden";
  said.textContent = ` (${gettext("taken back")})`;
  struck.append(text, said);
  return struck;
}
