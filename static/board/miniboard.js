/**
 * A small board that shows a match live and takes no input.
 *
 * Many are on one page, and drawings refer to colours and patterns by id, so each board prefixes its ids.
 */

/* global gettext, interpolate */

import { Flights, SPEEDS } from "../shapes/flights.js";
import { patch, setAttribute } from "../shapes/patch.js";
import { outcomeWords } from "../match/words.js";
import { setting } from "../parts/settings.js";
import { fitsNarrow } from "./fits.js";

/** Plies that queue during an animation, before the board jumps to the last one. */
const MOST_BEHIND = 2;

let boards = 0;

/**
 * @typedef {object} Shown
 * @property {{id: string, game: string, players: string[]}} match
 * @property {number} ply
 * @property {Boards.State} state
 * @property {Boards.Outcome|null} outcome
 * @property {Boards.Event[]} [events] of the last ply, if known
 */

/**
 * A shape with prefixed ids and references to ids.
 *
 * @param {import("../shapes/svg.js").Shape} shape
 * @param {string} mark
 * @returns {import("../shapes/svg.js").Shape}
 */
export function marked(shape, mark) {
  const attrs = Object.entries(shape.attrs).map(([name, value]) => [name, markedValue(name, value, mark)]);
  const children = typeof shape.children === "string" ? shape.children : shape.children.map((child) => marked(child, mark));
  return { ...shape, attrs: Object.fromEntries(attrs), children };
}

/** @param {string} name @param {string|number} value @param {string} mark */
function markedValue(name, value, mark) {
  if (name === "id") {
    return `${mark}${value}`;
  }
  if (typeof value !== "string") {
    return value;
  }
  return name === "href" ? value.replace(/^#/, `#${mark}`) : value.replaceAll("url(#", `url(#${mark}`);
}

/**
 * The view for a board module: no seat, no legal moves.
 *
 * @param {Pick<Shown, "match"|"events"|"outcome">} shown
 */
export function viewOf({ match, events, outcome }) {
  return {
    seat: null,
    bottom: 0,
    names: match.players,
    legal: [],
    outcome,
    selection: null,
    preview: null,
    last: events ? { events } : null,
    narrow: false,
    pits: setting("pits"),
    small: true,
  };
}

/**
 * @param {Shown} shown
 * @returns {string} the result in a few words; "" during the match
 */
export function resultWords({ match, outcome }) {
  return outcome ? outcomeWords(outcome, match.players, null) : "";
}

/**
 * @param {string[]} players
 * @param {string} title
 * @returns {string} the name of a link to a match
 */
export function watchWords(players, title) {
  return interpolate(gettext("Watch %(players)s: %(title)s"), { players: players.join(" – "), title }, true);
}

export class MiniBoard {
  #mark = `board-${(boards += 1)}-`;
  /** @type {Shown|null} */
  #shown = null;
  /** @type {Shown[]} */
  #waiting = [];
  #flying = false;

  /**
   * @param {HTMLElement} root an element of a fixed size
   * @param {Boards.Module} module
   * @param {number} aspect width by height of the root
   * @param {() => keyof typeof SPEEDS} speed
   * @param {() => void} [onRest] the board is at rest
   */
  constructor(root, module, aspect, speed, onRest = () => {}) {
    this.root = root;
    this.module = module;
    this.aspect = aspect;
    this.speed = speed;
    this.onRest = onRest;
    this.svg = element("svg");
    const [art, layer] = [element("g"), element("g")];
    this.svg.setAttribute("class", "board-art miniboard-svg");
    this.svg.setAttribute("aria-hidden", "true");
    this.svg.append(art, layer);
    this.art = art;
    this.flights = new Flights(layer, () => {});
    root.replaceChildren(this.svg);
  }

  /** Show a match at once, without animation. @param {Shown} shown */
  show(shown) {
    this.#waiting = [];
    this.flights.stop();
    this.#put(shown);
  }

  /** Animate one more ply. @param {Shown} shown */
  move(shown) {
    const last = this.#waiting.at(-1) ?? this.#shown;
    if (!last || shown.ply !== last.ply + 1 || this.#waiting.length >= MOST_BEHIND || this.#factor() === 0) {
      this.show(shown);
    } else {
      this.#waiting.push(shown);
      this.#flyOn();
    }
  }

  /** The aspect ratio of the space changed. @param {number} aspect width by height */
  reshape(aspect) {
    this.aspect = aspect;
    if (this.#shown && !this.#flying) {
      this.#put(this.#shown);
    }
  }

  /** Remove the board from the page. */
  remove() {
    this.#waiting = [];
    this.flights.stop();
    this.svg.remove();
  }

  async #flyOn() {
    if (this.#flying) {
      return;
    }
    this.#flying = true;
    while (this.#waiting.length > 0) {
      const [next] = this.#waiting;
      const arrived = this.#shown !== null && (await this.#fly(this.#shown, next));
      if (arrived && this.#waiting[0] === next) {
        this.#waiting.shift();
        this.#put(next);
      }
    }
    this.#flying = false;
  }

  /** Animate the events of a ply; false if interrupted. @param {Shown} before @param {Shown} next */
  async #fly(before, next) {
    const view = { ...this.#view(before), last: null, outcome: null };
    let { state } = before;
    for (const event of next.events ?? []) {
      for (const step of this.module.motion(event, state, view)) {
        const fly = step.fly?.map((flight) => ({ ...flight, shape: marked(flight.shape, this.#mark) }));
        if (step.ms > 0 && !(await this.flights.play({ ...step, fly, flash: [] }, this.#factor()))) {
          return false;
        }
        state = step.state;
        this.flights.clear();
        this.#paint(state, view);
      }
    }
    return true;
  }

  /** @param {Shown} shown */
  #put(shown) {
    this.#shown = shown;
    this.root.dataset.ply = String(shown.ply);
    this.#paint(shown.state, this.#view(shown));
    this.onRest();
  }

  /** @param {Shown} shown */
  #view(shown) {
    const [wide, narrow] = [viewOf(shown), { ...viewOf(shown), narrow: true }];
    /** @param {Boards.View} view */
    const size = (view) => this.module.viewBox(shown.state, view);
    return fitsNarrow(size(wide), size(narrow), this.aspect) ? narrow : wide;
  }

  /** @param {Boards.State} state @param {Boards.View} view */
  #paint(state, view) {
    setAttribute(this.svg, "viewBox", `0 0 ${this.module.viewBox(state, view).join(" ")}`);
    patch(this.art, this.module.draw(state, view).map((shape) => marked(shape, this.#mark)));
  }

  #factor() {
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden;
    return still ? 0 : SPEEDS[this.speed()];
  }
}

/** @template {"svg"|"g"} T @param {T} tag */
function element(tag) {
  return document.createElementNS("http://www.w3.org/2000/svg", tag);
}
