/**
 * The cells of a board as a focusable grid: real elements over the drawing, large enough for a thumb, with names for
 * screen readers. One tab stop for all.
 */

import { setAttribute } from "../shapes/patch.js";
import { placeAfter } from "./keyboard.js";

/* global gettext, interpolate */

/** @typedef {import("./keyboard.js").Place} Place */

/**
 * The first position of a cell, or null; holes are no cells.
 *
 * @param {(string|null)[][]} rows
 * @param {string|null} name
 * @returns {Place|null}
 */
function find(rows, name) {
  const row = name === null ? -1 : rows.findIndex((cells) => cells.includes(name));
  return row < 0 ? null : [row, rows[row].indexOf(name)];
}

export class Grid {
  /** @type {Map<string, HTMLElement>} */
  #elements = new Map();
  /** @type {(string|null)[][]} */
  #rows = [];
  /** @type {Place} */
  #here = [0, 0];
  #signature = "";

  /**
   * @param {HTMLElement} root gets role=grid
   * @param {object} way
   * @param {string} way.label
   * @param {(name: string) => void} way.onPress
   * @param {() => void} way.onMiss the board was pressed outside of its cells
   * @param {() => boolean} way.onEscape whether something was cancelled
   */
  constructor(root, { label, onPress, onMiss, onEscape }) {
    this.root = root;
    root.setAttribute("role", "grid");
    root.setAttribute("aria-label", label);
    // The click after a drag between two cells is in neither of them.
    let beside = false;
    root.addEventListener("pointerdown", (event) => {
      beside = nameAt(event.target) === null;
    });
    root.addEventListener("click", (event) => {
      const name = nameAt(event.target);
      if (name !== null) {
        this.#stand(find(this.#rows, name));
        onPress(name);
      } else if (beside) {
        onMiss();
      }
    });
    root.addEventListener("keydown", (event) => this.#key(event, onPress, onEscape));
  }

  /**
   * @param {(string|null)[][]} rows
   * @param {import("../shapes/svg.js").Cell[]} cells
   * @param {[number, number]} size of the view box
   * @param {{selection: string|null, pressed: string|null, held: (name: string) => boolean,
   *   hinted: Set<string>, premoved: Set<string>}} state
   */
  update(rows, cells, size, state) {
    this.#build(rows);
    for (const cell of cells) {
      const element = this.#elements.get(cell.name);
      if (element) {
        place(element, cell, size);
        const premoved = state.premoved.has(cell.name);
        setAttribute(element, "aria-label", premoved ? interpolate(gettext("%(place)s, premove"), { place: cell.label }, true) : cell.label);
        element.toggleAttribute("data-premove", premoved);
        element.toggleAttribute("data-playable", Boolean(cell.playable));
        element.toggleAttribute("data-pending", state.pressed === cell.name);
        element.toggleAttribute("data-held", state.held(cell.name));
        element.toggleAttribute("data-hint", state.hinted.has(cell.name));
        setAttribute(element, "aria-selected", String(state.selection === cell.name));
        // aria-keyshortcuts cannot express sequences of keys.
        if (cell.hotkey?.length === 1) {
          setAttribute(element, "aria-keyshortcuts", cell.hotkey);
        } else {
          element.removeAttribute("aria-keyshortcuts");
        }
      }
    }
  }

  /** Highlight cells for a while. @param {string[]} names @param {number} ms */
  flash(names, ms) {
    // In the next frame, when layout happens anyway.
    requestAnimationFrame(() => {
      for (const name of names) {
        const element = this.#elements.get(name);
        element?.animate([{ opacity: 1 }, { opacity: 0 }], { duration: ms, pseudoElement: "::after" });
      }
    });
  }

  /**
   * Rebuild only if the cells changed, so that focus stays.
   *
   * @param {(string|null)[][]} rows
   */
  #build(rows) {
    const signature = JSON.stringify(rows);
    if (signature === this.#signature) {
      return;
    }
    const name = this.#rows[this.#here[0]]?.[this.#here[1]] ?? null;
    const focused = this.root.contains(document.activeElement);
    this.#signature = signature;
    this.#rows = rows;
    const old = this.#elements;
    this.#elements = new Map();
    this.root.replaceChildren(...rows.map((cells) => this.#row(cells, old)));
    this.#stand(find(rows, name) ?? start(rows));
    if (focused) {
      this.#element()?.focus();
    }
  }

  /** @param {(string|null)[]} names @param {Map<string, HTMLElement>} old */
  #row(names, old) {
    const row = document.createElement("div");
    row.setAttribute("role", "row");
    for (const name of names) {
      if (name !== null && !this.#elements.has(name)) {
        const element = old.get(name) ?? cellElement(name);
        this.#elements.set(name, element);
        row.append(element);
      }
    }
    return row;
  }

  #element() {
    return this.#elements.get(this.#rows[this.#here[0]]?.[this.#here[1]] ?? "");
  }

  /** @param {Place|null} place */
  #stand(place) {
    this.#element()?.setAttribute("tabindex", "-1");
    this.#here = place ?? this.#here;
    this.#element()?.setAttribute("tabindex", "0");
  }

  /** @param {KeyboardEvent} event @param {(name: string) => void} onPress @param {() => boolean} onEscape */
  #key(event, onPress, onEscape) {
    const name = nameAt(event.target);
    if (name === null || event.ctrlKey || event.altKey || event.metaKey) {
      return;
    }
    const place = placeAfter(this.#rows, this.#here, event.key);
    if (place) {
      this.#stand(place);
    } else if (event.key === "Enter" || event.key === " ") {
      onPress(name);
    } else if (event.key !== "Escape" || !onEscape()) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    this.#element()?.focus();
  }
}

/** The tab stop of a new board: the middle of its nearest row. @param {(string|null)[][]} rows @returns {Place} */
export function start(rows) {
  const row = rows.length - 1;
  const full = rows[row].map((name, column) => (name === null ? -1 : column)).filter((column) => column >= 0);
  return [row, full[Math.floor(full.length / 2)] ?? 0];
}

/** @param {string} name */
function cellElement(name) {
  const element = document.createElement("div");
  element.className = "cell";
  element.dataset.cell = name;
  element.setAttribute("role", "gridcell");
  element.setAttribute("tabindex", "-1");
  return element;
}

/**
 * @param {EventTarget|null} target
 * @returns {string|null} the name of the cell that an element belongs to
 */
export function nameAt(target) {
  return target instanceof Element ? (target.closest("[data-cell]")?.getAttribute("data-cell") ?? null) : null;
}

/** @param {HTMLElement} element @param {import("../shapes/svg.js").Cell} cell @param {[number, number]} size */
function place(element, { box: [x, y, width, height], round }, [boardWidth, boardHeight]) {
  /** @param {number} part @param {number} whole */
  const percent = (part, whole) => `${(100 * part) / whole}%`;
  element.style.left = percent(x + width / 2, boardWidth);
  element.style.top = percent(y + height / 2, boardHeight);
  element.style.width = percent(width, boardWidth);
  element.style.height = percent(height, boardHeight);
  element.toggleAttribute("data-round", Boolean(round));
}
