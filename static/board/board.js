/**
 * Any board on the page: its drawing, its places, its buttons, and the way from one position to the
 * next. What is drawn and what a press means, the board module says; the rules are the server's.
 *
 * @typedef {object} Position what is to be on the board
 * @property {number} ply
 * @property {(number: number) => {state: any, ply: any, last: any}|null} at what is known after a ply: it, the
 *   state, and the ply whose move is to be marked as the last
 * @property {object} view seat, bottom, names, legal, outcome: see the board modules
 * @property {string|null} waiting the move that has been sent and not answered
 * @property {string|null} [hint] the move that somebody was told of, to be found among the others
 * @property {string|null} blocked why nothing can be played here now, as a sentence
 */

import { Grid } from "./cells.js";
import { Controls } from "./controls.js";
import { bindDrag } from "./drag.js";
import { Flights, SPEEDS } from "../shapes/flights.js";
import { patch } from "../shapes/patch.js";

/* global gettext */

/** CSS pixels below which a board draws itself for a narrow screen. */
const NARROW = 520;
/** Plies that are caught up with by flying; a board further behind jumps. */
const MOST_BEHIND = 4;
/** How much quicker pieces fly while more plies wait. */
const HURRY = 0.6;

export class Board {
  #position = null;
  #shown = -1;
  #run = 0;
  #running = false;
  #selection = null;
  #preview = null;
  #pressed = null;
  #cells = [];
  #narrow = false;

  /**
   * @param {HTMLElement} root
   * @param {HTMLElement} controls
   * @param {any} module a board module
   * @param {object} way
   * @param {(move: string) => void} way.onMove
   * @param {(sentence: string) => void} way.onRefusal
   * @param {() => keyof typeof SPEEDS} way.speed
   * @param {() => number} [way.haste] how many times faster than that
   * @param {(ply: number) => void} [way.onShown] the board stands at that ply
   */
  constructor(root, controls, module, way) {
    this.module = module;
    this.way = way;
    this.root = root;
    const { svg, art, layer, drag, grid } = frame(root);
    Object.assign(this, { svg, art });
    this.grid = new Grid(grid, {
      label: gettext("Board"),
      onPress: (name) => this.press(name),
      onEscape: () => this.#select(null),
    });
    this.controls = new Controls(controls, {
      onPress: (move) => this.#move(move, null),
      onPreview: (move) => this.#showPreview(move),
    });
    this.flights = new Flights(layer, (names, ms) => this.grid.flash(names, ms));
    if (module.held) {
      bindDrag(grid, drag, { held: (name) => this.#held(name), onDrop: (from, to) => this.#drop(from, to) });
    }
    // The column's width, not the board's own, which depends on how the board draws itself.
    new ResizeObserver(() => this.#measure()).observe(root.parentElement);
    this.#narrow = root.parentElement.clientWidth < NARROW;
  }

  /**
   * @param {Position} position
   * @param {boolean} [leap] straight to it, without flying through the plies between
   */
  update(position, leap = false) {
    const turned = this.#position && this.#position.view.bottom !== position.view.bottom;
    this.#position = position;
    if (position.waiting === null) {
      this.#pressed = null;
    }
    if (leap || turned || position.ply <= this.#shown || this.#shown < 0) {
      this.#jump();
    } else if (!this.#running) {
      this.#catchUp();
    }
  }

  /** Whether pieces are on their way to the position. */
  get moving() {
    return this.#running;
  }

  /** A place was pressed, by whatever means. */
  press(name) {
    const { blocked, waiting, view } = this.#position;
    this.#finish();
    if (blocked || waiting !== null) {
      this.way.onRefusal(blocked ?? gettext("Your move is on its way."));
      return;
    }
    const state = this.#state();
    const answer = this.module.pick(name, this.#selection, view.legal, state, this.#view());
    if (answer.refusal) {
      this.way.onRefusal(answer.refusal);
    } else if (answer.move) {
      this.#move(answer.move, name);
    } else {
      this.#select(answer.selection);
    }
  }

  /** @returns {boolean} whether a key belongs to this board, which it then pressed */
  hotkey(key) {
    const cell = this.#cells.find(({ hotkey }) => hotkey === key);
    const move = this.controls.moveOf(key);
    if (cell) {
      this.press(cell.name);
    } else if (move !== null) {
      this.#move(move, null);
    }
    return Boolean(cell) || move !== null;
  }

  // Towards the position

  async #catchUp() {
    const run = ++this.#run;
    this.#running = true;
    while (run === this.#run && this.#shown < this.#position.ply) {
      const behind = this.#position.ply - this.#shown;
      const factor = this.#factor() * (behind > 2 ? HURRY : 1);
      const known = this.#position.at(this.#shown)?.state && this.#position.at(this.#shown + 1)?.ply;
      if (factor === 0 || !known || behind > MOST_BEHIND) {
        break;
      }
      await this.#fly(this.#position.at(this.#shown + 1).ply, run, factor);
    }
    if (run === this.#run) {
      this.#jump();
    }
  }

  /** Play the events of one ply on the board. */
  async #fly(ply, run, factor) {
    const before = this.#position.at(ply.number - 1);
    const view = { ...this.#view(), legal: [], selection: null, preview: null, last: null, outcome: null };
    let state = before.state;
    this.#paint(state, view);
    for (const event of ply.events) {
      for (const step of this.module.motion(event, state, view)) {
        if (step.ms > 0 && !(await this.flights.play(step, factor))) {
          return;
        }
        state = step.state;
        this.flights.clear();
        this.#paint(state, view);
      }
    }
    if (run === this.#run) {
      this.#shown = ply.number;
    }
  }

  #factor() {
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden;
    return still ? 0 : SPEEDS[this.way.speed()] / (this.way.haste?.() ?? 1);
  }

  /** Show the position at once, whatever is under way. */
  #jump() {
    this.#run += 1;
    this.#running = false;
    this.flights.stop();
    if (this.#shown !== this.#position.ply) {
      this.#selection = null;
    }
    this.#shown = this.#position.ply;
    this.#draw();
    this.way.onShown?.(this.#shown);
  }

  #finish() {
    if (this.#running) {
      this.#jump();
    }
  }

  // Drawing

  #state() {
    return this.#position.at(this.#shown)?.state;
  }

  #view() {
    return {
      ...this.#position.view,
      legal: this.#position.waiting === null ? this.#position.view.legal : [],
      selection: this.#selection,
      preview: this.#preview,
      last: this.#position.at(this.#shown)?.last ?? null,
      narrow: this.#narrow,
    };
  }

  #draw() {
    const state = this.#state();
    if (!state) {
      return;
    }
    const view = this.#view();
    this.#paint(state, view);
    const offered = { ...view, legal: this.#position.view.legal };
    const { hint, waiting } = this.#position;
    this.controls.update(this.module.controls(state, offered), waiting !== null, hint);
  }

  #paint(state, view) {
    const size = this.module.viewBox(state, view);
    this.svg.setAttribute("viewBox", `0 0 ${size[0]} ${size[1]}`);
    this.root.style.setProperty("--aspect", String(size[0] / size[1]));
    const shapes = this.module.draw(state, view);
    patch(this.art, shapes);
    this.#cells = cellsIn(shapes);
    this.grid.update(this.module.cells(state, view), this.#cells, size, {
      selection: this.#selection,
      pressed: this.#pressed,
      held: (name) => this.#held(name) !== null,
      hinted: this.#hinted(state, view),
    });
  }

  /** The places that a hint is about: those that could be pressed if it were the only move. */
  #hinted(state, view) {
    const { hint } = this.#position;
    if (!hint || !view.legal.includes(hint)) {
      return new Set();
    }
    const shapes = this.module.draw(state, { ...view, legal: [hint] });
    return new Set(cellsIn(shapes).filter(({ playable }) => playable).map(({ name }) => name));
  }

  #measure() {
    const width = this.root.parentElement.clientWidth;
    const narrow = width < NARROW;
    if (narrow !== this.#narrow && width > 0) {
      this.#narrow = narrow;
      if (this.#position) {
        this.#jump();
      }
    }
  }

  // Input

  #move(move, cell) {
    this.#finish();
    this.#selection = null;
    this.#preview = null;
    this.#pressed = cell;
    this.way.onMove(move);
  }

  #select(name) {
    this.#selection = name;
    this.#draw();
  }

  #showPreview(move) {
    if (move !== this.#preview) {
      this.#preview = move;
      if (!this.#running && this.#position) {
        this.#draw();
      }
    }
  }

  #held(name) {
    const open = this.#position && !this.#position.blocked && this.#position.waiting === null && !this.#running;
    return open && this.module.held ? this.module.held(name, this.#state(), this.#view()) : null;
  }

  #drop(from, to) {
    if (this.#selection !== from) {
      this.press(from);
    }
    if (this.#selection === from) {
      this.press(to);
    }
  }
}

/** Every place among shapes, however deep. */
function cellsIn(shapes) {
  return shapes.flatMap((shape) => [
    ...(shape.cell ? [shape.cell] : []),
    ...(typeof shape.children === "string" ? [] : cellsIn(shape.children)),
  ]);
}

function frame(root) {
  const make = (tag, className) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    element.setAttribute("class", className);
    return element;
  };
  const svg = make("svg", "board-art");
  const [art, layer, drag] = [make("g", "board-pieces"), make("g", "board-flights"), make("g", "board-drag")];
  svg.setAttribute("aria-hidden", "true");
  svg.append(art, layer, drag);
  const grid = document.createElement("div");
  grid.className = "board-cells";
  root.replaceChildren(svg, grid);
  return { svg, art, layer, drag, grid };
}
