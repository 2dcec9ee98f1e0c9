/** The buttons below a board, such as throw or stop, as the board module offers them. */

import { picture } from "../shapes/patch.js";
import { die } from "../shapes/svg.js";

/* Lengths in the picture of paired dice */
const DIE = 20;
const PITCH = 22;
const GAP = 8;

/**
 * @typedef {object} Control
 * @property {string} move
 * @property {string} label
 * @property {string} [hotkey]
 * @property {string} [hint]
 * @property {boolean} [primary]
 * @property {{faces: number[], faint: boolean}[]} [dice] the pairs of dice that it plays, shown before the label
 * @property {boolean} [closed] cannot be pressed; the hint says why
 *
 * @typedef {{root: HTMLElement, button: HTMLButtonElement, hint: HTMLElement, key: HTMLElement, label: HTMLElement, dice: HTMLElement}} Parts
 */

export class Controls {
  /** @type {Map<string, Parts>} */
  #shown = new Map();
  /** The choice that a first touch has shown on the board. @type {string|null} */
  #looked = null;

  /**
   * @param {HTMLElement} root
   * @param {{onPress: (move: string) => void, onPreview: (move: string|null) => void}} way
   */
  constructor(root, way) {
    this.root = root;
    this.way = way;
    root.tabIndex = -1;
  }

  /**
   * @param {Control[]} controls
   * @param {boolean} waiting for the server's answer
   * @param {string|null} [hint] the move to highlight
   */
  update(controls, waiting, hint = null) {
    const focused = this.root.contains(document.activeElement);
    const shown = new Map();
    if (!controls.some(({ move }) => move === this.#looked)) {
      this.#looked = null;
    }
    for (const control of controls) {
      const parts = this.#shown.get(control.move) ?? this.#make(control.move);
      dress(parts, control, waiting);
      parts.button.toggleAttribute("data-hint", control.move === hint);
      parts.button.toggleAttribute("data-looked", control.move === this.#looked);
      shown.set(control.move, parts);
    }
    const elements = [...shown.values()].map(({ root }) => root);
    if (elements.length !== this.root.children.length || elements.some((el, i) => el !== this.root.children[i])) {
      this.root.replaceChildren(...elements);
    }
    this.#shown = shown;
    if (focused && !this.root.contains(document.activeElement)) {
      // The pressed button is gone: focus the next one, or the place where it will be.
      (elements[0]?.querySelector("button") ?? this.root).focus();
    } else if (document.activeElement === this.root && elements[0]) {
      elements[0].querySelector("button").focus();
    }
  }

  /**
   * @param {string} hotkey
   * @returns {string|null} the move of the button with that key
   */
  moveOf(hotkey) {
    const entry = [...this.#shown].find(([, { button }]) => button.getAttribute("aria-keyshortcuts") === hotkey);
    return entry ? entry[0] : null;
  }

  /** Keep their space while there are none, so that nothing moves when they come and go. @param {boolean} wanted */
  reserve(wanted) {
    this.root.toggleAttribute("data-reserved", wanted);
  }

  /** @param {string} move */
  #make(move) {
    const root = document.createElement("div");
    const button = document.createElement("button");
    const hint = document.createElement("p");
    const label = document.createElement("span");
    const dice = document.createElement("span");
    const key = document.createElement("kbd");
    root.className = "control";
    hint.className = "field-hint";
    hint.id = `control-${move.replace(/[^A-Za-z0-9]/g, "_")}`;
    button.type = "button";
    button.dataset.move = move;
    dice.className = "control-dice";
    button.append(dice, label, key);
    root.append(button, hint);
    button.addEventListener("click", (event) => {
      if (button.getAttribute("aria-disabled") !== "true") {
        this.#press(move, event);
      }
    });
    for (const event of ["pointerenter", "focus"]) {
      button.addEventListener(event, () => this.way.onPreview(move));
    }
    for (const event of ["pointerleave", "blur"]) {
      button.addEventListener(event, () => this.way.onPreview(null));
    }
    return { root, button, hint, key, label, dice };
  }

  /** A finger cannot point without pressing: its first press on one of several choices shows it. @param {string} move @param {MouseEvent} event */
  #press(move, event) {
    const touched = event instanceof PointerEvent && event.pointerType === "touch";
    const choices = [...this.#shown.values()].filter(({ dice }) => !dice.hidden);
    if (touched && choices.length > 1 && this.#looked !== move && !this.#shown.get(move)?.dice.hidden) {
      this.#looked = move;
      for (const [each, { button }] of this.#shown) {
        button.toggleAttribute("data-looked", each === move);
      }
      this.way.onPreview(move);
    } else {
      this.way.onPress(move);
    }
  }
}

/** @param {Parts} parts @param {Control} control @param {boolean} waiting */
function dress({ button, hint, key, label, dice }, control, waiting) {
  button.className = `button button-large${control.primary ? " button-primary" : ""}`;
  button.setAttribute("aria-disabled", String(waiting || control.closed === true));
  label.textContent = control.label;
  dressDice(dice, control.dice ?? []);
  key.textContent = control.hotkey ?? "";
  key.hidden = !control.hotkey;
  key.setAttribute("aria-hidden", "true");
  hint.textContent = control.hint ?? "";
  hint.hidden = !control.hint;
  const described = { "aria-keyshortcuts": control.hotkey, "aria-describedby": control.hint && hint.id };
  for (const [name, value] of Object.entries(described)) {
    if (value) {
      button.setAttribute(name, value);
    } else {
      button.removeAttribute(name);
    }
  }
}

/** @param {HTMLElement} root @param {NonNullable<Control["dice"]>} pairs */
function dressDice(root, pairs) {
  const key = JSON.stringify(pairs);
  root.hidden = pairs.length === 0;
  if (root.dataset.dice === key) {
    return;
  }
  root.dataset.dice = key;
  if (pairs.length === 0) {
    root.replaceChildren();
    return;
  }
  const width = pairs.length * (2 * PITCH + GAP) - GAP;
  const shapes = pairs.flatMap(({ faces, faint }, pair) =>
    faces.map((face, nth) =>
      die(face, pair * (2 * PITCH + GAP) + nth * PITCH + PITCH / 2, PITCH / 2, DIE, { opacity: faint ? 0.35 : 1 })));
  root.replaceChildren(picture(shapes, `0 0 ${width} ${PITCH + 1}`, "control-dice-art"));
}
