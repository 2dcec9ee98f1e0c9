/**
 * A board in small: it shows a match and moves with it, and takes no presses.
 *
 * Many stand on one page, and every drawing names its colours and patterns with ids; so each board puts
 * a mark of its own before all of its ids.
 */

/* global gettext, interpolate */

import { Flights, SPEEDS } from "../shapes/flights.js";
import { patch } from "../shapes/patch.js";
import { headline } from "../match/words.js";

/** Plies that wait while pieces fly, before the board jumps to the last one. */
const MOST_BEHIND = 2;

let boards = 0;

/**
 * @typedef {object} Shown
 * @property {{id: string, game: string, players: string[]}} match
 * @property {number} ply
 * @property {any} state
 * @property {any} outcome
 * @property {Array<{kind: string}>} [events] of the last ply, where it was told
 */

/**
 * Shapes with other ids, and everything in them that refers to one.
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
 * Whether a board fills a space better when it draws itself for a narrow screen.
 *
 * @param {[number, number]} wide width and height of the board as it is drawn for a wide one
 * @param {[number, number]} narrow
 * @param {number} aspect width by height of the space
 */
export function fitsNarrow(wide, narrow, aspect) {
  const waste = ([width, height]) => Math.abs(Math.log(width / height / aspect));
  return waste(narrow) < waste(wide);
}

/** What a board module is told: nobody sits here, nothing can be played. */
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
  };
}

/** @returns {string} how a match ended, in a few words; "" while it goes on */
export function resultWords({ match, outcome }) {
  const seats = match.players.map((name) => ({ name }));
  return outcome ? headline({ match: { seats }, live: { outcome }, you: null }) : "";
}

/** @returns {string} what a link to a match is called */
export function watchWords(players, title) {
  return interpolate(gettext("Watch %(players)s: %(title)s"), { players: players.join(" – "), title }, true);
}

export class MiniBoard {
  #mark = `board-${(boards += 1)}-`;
  #shown = null;
  #waiting = [];
  #flying = false;

  /**
   * @param {HTMLElement} root an element of a fixed size
   * @param {any} module a board module
   * @param {number} aspect width by height of the root
   * @param {() => keyof typeof SPEEDS} speed
   * @param {() => void} [onRest] the board stands at a position
   */
  constructor(root, module, aspect, speed, onRest = () => {}) {
    Object.assign(this, { root, module, aspect, speed, onRest });
    this.svg = element("svg");
    const [art, layer] = [element("g"), element("g")];
    this.svg.setAttribute("class", "board-art miniboard-svg");
    this.svg.setAttribute("aria-hidden", "true");
    this.svg.append(art, layer);
    this.art = art;
    this.flights = new Flights(layer, () => {});
    root.replaceChildren(this.svg);
  }

  /** Show a match as it stands, at once. @param {Shown} shown */
  show(shown) {
    this.#waiting = [];
    this.flights.stop();
    this.#put(shown);
  }

  /** One more ply. @param {Shown} shown */
  move(shown) {
    if (!this.#shown || shown.ply !== this.#last().ply + 1 || this.#waiting.length >= MOST_BEHIND || this.#factor() === 0) {
      this.show(shown);
    } else {
      this.#waiting.push(shown);
      this.#flyOn();
    }
  }

  /** The room for the board has another shape now. @param {number} aspect width by height */
  reshape(aspect) {
    this.aspect = aspect;
    if (this.#shown && !this.#flying) {
      this.#put(this.#shown);
    }
  }

  /** Take the board off the page. */
  remove() {
    this.#waiting = [];
    this.flights.stop();
    this.svg.remove();
  }

  #last() {
    return this.#waiting.at(-1) ?? this.#shown;
  }

  async #flyOn() {
    if (this.#flying) {
      return;
    }
    this.#flying = true;
    while (this.#waiting.length > 0) {
      const [next] = this.#waiting;
      const arrived = await this.#fly(next);
      if (arrived && this.#waiting[0] === next) {
        this.#waiting.shift();
        this.#put(next);
      }
    }
    this.#flying = false;
  }

  /** Play the events of a ply; false when the board was put elsewhere meanwhile. */
  async #fly(next) {
    const view = { ...this.#view(this.#shown), last: null, outcome: null };
    let state = this.#shown.state;
    for (const event of next.events) {
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

  #put(shown) {
    this.#shown = shown;
    this.root.dataset.ply = String(shown.ply);
    this.#paint(shown.state, this.#view(shown));
    this.onRest();
  }

  #view(shown) {
    const [wide, narrow] = [viewOf(shown), { ...viewOf(shown), narrow: true }];
    const size = (view) => this.module.viewBox(shown.state, view);
    return fitsNarrow(size(wide), size(narrow), this.aspect) ? narrow : wide;
  }

  #paint(state, view) {
    this.svg.setAttribute("viewBox", `0 0 ${this.module.viewBox(state, view).join(" ")}`);
    patch(this.art, this.module.draw(state, view).map((shape) => marked(shape, this.#mark)));
  }

  #factor() {
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden;
    return still ? 0 : SPEEDS[this.speed()];
  }
}

function element(tag) {
  return document.createElementNS("http://www.w3.org/2000/svg", tag);
}
