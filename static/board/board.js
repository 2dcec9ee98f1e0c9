/**
 * A board: its drawing, its cells, its buttons, and the animation from one position to the next. The board module
 * decides what is drawn and what a press means; the server has the rules.
 *
 * @typedef {object} Position what the board must show
 * @property {number} ply
 * @property {(number: number) => Known|null} at the state after a ply, the
 *   ply itself, and the ply to mark as the last move
 * @property {Boards.Sight} view
 * @property {boolean} [plays] whether moves can be made here; by default, if the user has a seat
 * @property {string|null} waiting the move that was sent and is not acknowledged
 * @property {string|null} [asked] the move that waits to be confirmed before it is sent
 * @property {string|null} [hint] the hinted move, to be highlighted
 * @property {(state: Boards.State, view: Boards.View) => Boards.Shape[]} [over] what is drawn over the position at rest
 * @property {string|null} blocked why nothing can be played here now, as a sentence
 * @property {Boards.Premoving|null} [premoves] what can be entered all the same, to be played when the turn comes
 *
 * @typedef {{number: number, events: Boards.Event[]}} Ply
 * @typedef {{state: Boards.State, ply: Ply|null, last: Ply|null}} Known of a ply
 */

import { Grid } from "./cells.js";
import { Controls } from "./controls.js";
import { bindDrag } from "./drag.js";
import { Flights, SPEEDS } from "../shapes/flights.js";
import { patch, setAttribute } from "../shapes/patch.js";
import { fitsNarrow } from "./fits.js";

/* global gettext */

/** CSS pixels below which a board is always drawn for a narrow screen, so that its text can be read. */
const NARROW = 520;
/** Up to so many plies are animated; a board further behind jumps. */
const MOST_BEHIND = 4;
/** How long the cells of a partly typed hotkey are highlighted. */
const BEGUN_MS = 700;
/** Factor on the animation time while more plies wait. */
const HURRY = 0.6;

export class Board {
  /** @type {Position|null} */
  #position = null;
  #shown = -1;
  #run = 0;
  #running = false;
  /** @type {string|null} */
  #selection = null;
  /** @type {string|null} */
  #preview = null;
  /** @type {{cell: string|null, move: string}|null} the press whose move is not played yet */
  #pressed = null;
  /** @type {Boards.Cell[]} */
  #cells = [];
  #narrow = false;
  /** The typed part of a hotkey of several characters. */
  #typed = "";

  /**
   * @param {HTMLElement} root
   * @param {HTMLElement} controls
   * @param {Boards.Module} module
   * @param {object} way
   * @param {(move: string) => void} way.onMove
   * @param {(move: string|null) => void} [way.onPremove] a premove was entered or cancelled
   * @param {(sentence: string) => void} way.onRefusal
   * @param {() => void} [way.onTaken] a press was accepted
   * @param {(sentence: string) => void} [way.onSelected] the moves of the selected cell
   * @param {() => keyof typeof SPEEDS} way.speed
   * @param {() => number} [way.haste] how many times faster than that
   * @param {(ply: number) => void} [way.onShown] the board shows that ply
   * @param {(state: Boards.State) => void} [way.onPainted] the state on the board now, during an animation too
   * @param {(events: Boards.Event[]) => void} [way.onEvents] the events shown now: one at each landing of an animation,
   *   or all of a ply that is not animated
   */
  constructor(root, controls, module, way) {
    this.module = module;
    this.way = way;
    this.root = root;
    const { svg, art, layer, drag, grid } = frame(root);
    this.svg = svg;
    this.art = art;
    this.room = root.parentElement ?? root;
    this.grid = new Grid(grid, {
      label: gettext("Board"),
      onPress: (name) => this.press(name),
      onMiss: () => this.miss(),
      onEscape: () => this.#letGo(),
    });
    grid.addEventListener("contextmenu", (event) => {
      if (this.#unpremove()) {
        event.preventDefault();
      }
    });
    this.controls = new Controls(controls, {
      onPress: (move) => this.#move(move, null),
      onPreview: (move) => this.#showPreview(move),
    });
    this.flights = new Flights(layer, (names, ms) => this.grid.flash(names, ms));
    if (module.held) {
      bindDrag(grid, drag, {
        held: (name) => this.#held(name),
        onDrop: (from, to) => this.#drop(from, to),
        onMiss: () => this.miss(),
      });
    }
    // Observe the space for the board, not its own size, which depends on how it is drawn.
    new ResizeObserver(() => this.#measure()).observe(this.room);
  }

  /**
   * @param {Position} position
   * @param {boolean} [leap] jump, without animating the plies between
   */
  update(position, leap = false) {
    const turned = this.#position && this.#position.view.bottom !== position.view.bottom;
    const first = this.#position === null;
    this.#position = position;
    if (first) {
      this.#narrow = this.#fitsNarrow();
    }
    if (this.#pressed?.move !== (position.waiting ?? position.asked)) {
      this.#pressed = null;
    }
    if (leap || turned || position.ply <= this.#shown || this.#shown < 0) {
      this.#jump();
    } else if (!this.#running) {
      this.#catchUp();
    }
  }

  /** Forget a half-entered move: it was begun in a position that did not go on. */
  reset() {
    this.#selection = null;
    this.#preview = null;
    this.#typed = "";
  }

  /** Whether pieces are still moving. */
  get moving() {
    return this.#running;
  }

  /** A cell was pressed by pointer, key or hotkey. @param {string} name */
  press(name) {
    const { view, premoves } = this.#wanted;
    if (premoves) {
      this.#finish();
      this.#premove(name, premoves);
      return;
    }
    const state = this.#open();
    if (!state) {
      return;
    }
    this.#take(this.module.pick(name, this.#selection, view.legal, state, this.#view()), (move) => this.#move(move, name));
  }

  /**
   * A press while the opponent thinks; pressing the premove cancels it.
   *
   * @param {string} name
   * @param {Boards.Premoving} premoves
   */
  #premove(name, { state, moves, chosen }) {
    if (chosen !== null && moves[chosen]?.includes(name)) {
      this.#unpremove();
      return;
    }
    const view = this.#premoveView(moves);
    this.#take(this.module.pick(name, this.#selection, view.legal, state, view), (move) => {
      this.#selection = null;
      this.way.onPremove?.(move);
    });
  }

  /** The view in which the premoves are the legal moves. @param {Boards.Premoving["moves"]} moves */
  #premoveView(moves) {
    return { ...this.#view(), legal: Object.keys(moves) };
  }

  /** @returns {boolean} whether there was a premove */
  #unpremove() {
    const entered = (this.#position?.premoves?.chosen ?? null) !== null;
    if (entered) {
      this.#selection = null;
      this.way.onPremove?.(null);
    }
    return entered;
  }

  /**
   * Apply the board module's answer to a press.
   *
   * @param {Boards.Answer} answer
   * @param {(move: string) => void} play
   */
  #take(answer, play) {
    if (answer.refusal && answer.selection !== undefined) {
      this.#select(answer.selection);
    }
    if (answer.refusal) {
      this.way.onRefusal(answer.refusal);
      return;
    }
    this.way.onTaken?.();
    if (answer.move) {
      play(answer.move);
    } else {
      this.#select(answer.selection ?? null);
    }
  }

  /** The board was pressed outside of its cells: say what can be chosen. */
  miss() {
    const state = this.#open();
    const words = state && this.module.prompt(state, this.#view());
    if (words) {
      this.way.onRefusal(words);
    }
  }

  /** The state, if a move can be made now; null after saying why not. */
  #open() {
    const { blocked, waiting } = this.#wanted;
    this.#finish();
    if (blocked || waiting !== null) {
      this.way.onRefusal(blocked ?? gettext("Sending your move."));
      return null;
    }
    return this.#state() ?? null;
  }

  /**
   * @param {string} key
   * @returns {boolean} whether the key was handled
   */
  hotkey(key) {
    const typed = this.#cells.some(({ hotkey }) => hotkey === this.#typed + key) ? this.#typed + key : key;
    const cell = this.#cells.find(({ hotkey }) => hotkey === typed);
    const begun = this.#cells.filter(({ hotkey }) => !cell && hotkey?.startsWith(typed));
    this.#typed = begun.length ? typed : "";
    if (begun.length) {
      this.grid.flash(begun.map(({ name }) => name), BEGUN_MS);
      return true;
    }
    const move = this.controls.moveOf(key);
    if (cell) {
      this.press(cell.name);
    } else if (move !== null) {
      this.#move(move, null);
    }
    return Boolean(cell) || move !== null;
  }

  /** The position to show; it is set before anything else is called. */
  get #wanted() {
    if (!this.#position) {
      throw new Error("The board was told no position yet.");
    }
    return this.#position;
  }

  // Animation

  async #catchUp() {
    const run = ++this.#run;
    this.#running = true;
    while (run === this.#run && this.#shown < this.#wanted.ply) {
      const behind = this.#wanted.ply - this.#shown;
      const factor = this.#factor() * (behind > 2 ? HURRY : 1);
      const before = this.#wanted.at(this.#shown);
      const next = this.#wanted.at(this.#shown + 1);
      if (factor === 0 || !before?.state || !next?.ply || behind > MOST_BEHIND) {
        this.way.onEvents?.(this.#wanted.at(this.#wanted.ply)?.ply?.events ?? []);
        break;
      }
      await this.#fly(next.ply, before.state, run, factor);
    }
    if (run === this.#run) {
      this.#jump();
    }
  }

  /**
   * Play the events of one ply on the board.
   *
   * @param {Ply} ply
   * @param {Boards.State} before
   * @param {number} run
   * @param {number} factor
   */
  async #fly(ply, before, run, factor) {
    // Let the page apply the ply's other changes first: both at once would be one long task.
    await new Promise((resolve) => setTimeout(resolve));
    if (run !== this.#run) {
      return;
    }
    const view = { ...this.#view(), legal: [], selection: null, preview: null, last: null, outcome: null };
    let state = before;
    this.#paint(state, view);
    for (const event of ply.events) {
      const steps = this.module.motion(event, state, view);
      if (!steps.some(lands)) {
        this.way.onEvents?.([event]);
      }
      for (const step of steps) {
        if (step.ms > 0 && !(await this.flights.play(step, factor))) {
          return;
        }
        if (lands(step)) {
          this.way.onEvents?.([event]);
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

  /** Show the position at once and stop any animation. */
  #jump() {
    this.#run += 1;
    this.#running = false;
    this.flights.stop();
    if (this.#shown !== this.#wanted.ply) {
      this.#selection = null;
    }
    this.#shown = this.#wanted.ply;
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
    return this.#wanted.at(this.#shown)?.state;
  }

  #view() {
    return {
      ...this.#wanted.view,
      legal: this.#wanted.waiting === null ? this.#wanted.view.legal : [],
      selection: this.#selection,
      preview: this.#preview,
      last: this.#wanted.at(this.#shown)?.last ?? null,
      narrow: this.#narrow,
    };
  }

  #draw() {
    const state = this.#state();
    if (!state) {
      return;
    }
    const view = this.#view();
    const { hint, waiting, over } = this.#wanted;
    this.#paint(state, view, over?.(state, view));
    const offered = { ...view, legal: this.#wanted.view.legal };
    this.controls.reserve((this.#wanted.plays ?? view.seat !== null) && (this.module.hasButtons?.(state) ?? true));
    this.controls.update(this.module.controls(state, offered), waiting !== null, hint);
  }

  /** @param {Boards.State} state @param {Boards.View} view @param {Boards.Shape[]} [over] */
  #paint(state, view, over = []) {
    const size = this.module.viewBox(state, view);
    setAttribute(this.svg, "viewBox", `0 0 ${size[0]} ${size[1]}`);
    this.root.style.setProperty("--aspect", String(size[0] / size[1]));
    const advised = this.#advised(state, view);
    const shapes = this.module.draw(state, view);
    // One mark at a time: while a move is advised, the others are not marked.
    patch(this.art, [...(advised?.shapes ?? shapes), ...over]);
    this.#cells = cellsIn(shapes);
    this.way.onPainted?.(state);
    this.grid.update(this.module.cells(state, view), this.#cells, size, {
      selection: this.#selection,
      pressed: this.#pressed?.cell ?? null,
      held: (name) => this.#held(name) !== null,
      hinted: new Set(advised?.cells),
      premoved: this.#premoved(),
    });
  }

  /**
   * The board as if the hint were the only legal move, and the cells to press for it: those that play it, or those that
   * begin it, or none if a button plays it. Null without a hint, or if another move has been begun.
   *
   * @param {Boards.State} state
   * @param {Boards.View} view
   */
  #advised(state, view) {
    const { hint } = this.#wanted;
    if (!hint || !view.legal.includes(hint)) {
      return null;
    }
    const alone = { ...view, legal: [hint] };
    const shapes = this.module.draw(state, alone);
    const playable = cellsIn(shapes).filter((cell) => cell.playable).map(({ name }) => name);
    const playing = playable.filter((name) => this.module.pick(name, view.selection, [hint], state, alone).move === hint);
    const cells = playing.length ? playing : playable;
    if (cells.length === 0 && view.selection !== null) {
      return null;
    }
    const isButton = this.module.controls(state, alone).some(({ move }) => move === hint);
    return { shapes, cells: isButton ? [] : cells };
  }

  /** The cells of the premove. */
  #premoved() {
    const { premoves } = this.#wanted;
    return new Set(premoves && premoves.chosen !== null ? premoves.moves[premoves.chosen] : []);
  }

  #measure() {
    if (this.#position && this.room.clientWidth > 0 && this.#fitsNarrow() !== this.#narrow) {
      this.#narrow = !this.#narrow;
      this.#jump();
    }
  }

  /** Whether the narrow drawing fills the space better, or is the only readable one. */
  #fitsNarrow() {
    const { clientWidth: width, clientHeight: height } = this.room;
    const state = this.#wanted.at(this.#wanted.ply)?.state;
    if (width < NARROW || !state || height === 0) {
      return width < NARROW;
    }
    /** @param {boolean} narrow */
    const size = (narrow) => this.module.viewBox(state, { ...this.#view(), narrow });
    return fitsNarrow(size(false), size(true), width / height);
  }

  // Input

  /** @param {string} move @param {string|null} cell */
  #move(move, cell) {
    this.#finish();
    this.#selection = null;
    this.#preview = null;
    this.#pressed = { cell, move };
    this.way.onMove(move);
  }

  /** @param {string|null} name */
  #select(name) {
    this.#selection = name;
    this.#draw();
    const { premoves } = this.#wanted;
    const state = name === null ? null : (premoves?.state ?? this.#state());
    if (state) {
      const view = premoves ? this.#premoveView(premoves.moves) : this.#view();
      this.way.onSelected?.(this.module.prompt(state, view));
    }
  }

  /** @returns {boolean} whether a selection or premove was cancelled */
  #letGo() {
    const held = this.#selection !== null;
    this.#select(null);
    return held || this.#unpremove();
  }

  /** @param {string|null} move */
  #showPreview(move) {
    if (move !== this.#preview) {
      this.#preview = move;
      if (!this.#running && this.#position) {
        this.#draw();
      }
    }
  }

  /** @param {string} name */
  #held(name) {
    if (!this.#position || this.#running || !this.module.held) {
      return null;
    }
    const { blocked, waiting, premoves } = this.#position;
    if (premoves) {
      return this.module.held(name, premoves.state, this.#premoveView(premoves.moves));
    }
    const state = blocked || waiting !== null ? null : this.#state();
    return state ? this.module.held(name, state, this.#view()) : null;
  }

  /** @param {string} from @param {string} to */
  #drop(from, to) {
    if (this.#selection !== from) {
      this.press(from);
    }
    if (this.#selection === from) {
      this.press(to);
    }
  }
}

/** Whether a frame ends with a landing. @param {Boards.Frame} frame */
const lands = ({ fly, airborne }) => Boolean(fly?.length) && !airborne;

/** All cells among shapes, at any depth. @param {Boards.Shape[]} shapes @returns {Boards.Cell[]} */
export function cellsIn(shapes) {
  return shapes.flatMap((shape) => [
    ...(shape.cell ? [shape.cell] : []),
    ...(typeof shape.children === "string" ? [] : cellsIn(shape.children)),
  ]);
}

/** @param {HTMLElement} root */
function frame(root) {
  /**
   * @template {"svg"|"g"} T
   * @param {T} tag
   * @param {string} className
   */
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
