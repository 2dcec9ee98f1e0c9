/** Plays animation frames at the player's speed. */

import { patch } from "./patch.js";

/** Factors on the duration of a frame. */
export const SPEEDS = Object.freeze({ slow: 1.8, normal: 1, fast: 0.5, off: 0 });

/**
 * @typedef {object} Flight
 * @property {import("./svg.js").Shape} shape centred on 0, 0
 * @property {[number, number]} from
 * @property {[number, number]} to
 * @property {number} [arc] height of the arc above the straight line
 * @property {[number, number]} [turn] degrees at the start and at the end
 *
 * @typedef {object} Frame
 * @property {any} state the state drawn after the landing
 * @property {number} ms at normal speed
 * @property {Flight[]} [fly]
 * @property {boolean} [airborne] the flight goes on in the next frame
 * @property {string[]} [flash] cells to light up meanwhile
 */

export class Flights {
  #timer = 0;
  /** @type {((byItself: boolean) => void)|null} */
  #landed = null;
  /** Running animations. Querying elements for them would force a layout. @type {Animation[]} */
  #flying = [];

  /**
   * @param {SVGGElement} layer above everything else of the board
   * @param {(cells: string[], ms: number) => void} flash
   */
  constructor(layer, flash) {
    this.layer = layer;
    this.flash = flash;
  }

  /**
   * Play one frame.
   *
   * @param {Frame} frame
   * @param {number} factor of its time
   * @returns {Promise<boolean>} whether it finished; false after `stop`
   */
  play(frame, factor) {
    this.stop();
    const ms = frame.ms * factor;
    const flights = frame.fly ?? [];
    patch(this.layer, flights.map(({ shape }, i) => ({ tag: "g", key: i, attrs: {}, children: [shape] })));
    const timing = { duration: ms, easing: frame.airborne ? "linear" : "ease-in-out", fill: /** @type {const} */ ("both") };
    this.#flying = flights.map((flight, i) => this.layer.children[i].animate(path(flight), timing));
    if (frame.flash?.length) {
      this.flash(frame.flash, ms);
    }
    // A timer, since an animation's promise does not settle in a hidden tab.
    return new Promise((resolve) => {
      this.#landed = resolve;
      this.#timer = setTimeout(() => this.#end(true), ms);
    });
  }

  /** Cancel all animations at once. */
  stop() {
    clearTimeout(this.#timer);
    this.clear();
    this.#end(false);
  }

  /** Remove landed shapes. */
  clear() {
    this.#flying.forEach((animation) => animation.cancel());
    this.#flying = [];
    patch(this.layer, []);
  }

  /** @param {boolean} byItself */
  #end(byItself) {
    const resolve = this.#landed;
    this.#landed = null;
    resolve?.(byItself);
  }
}

/** @param {Flight} flight */
function path({ from, to, arc = 0, turn = [0, 0] }) {
  /** @param {number} x @param {number} y @param {number} degrees */
  const place = (x, y, degrees) => ({ transform: `translate(${x}px, ${y}px)${degrees ? ` rotate(${degrees}deg)` : ""}` });
  const middle = place((from[0] + to[0]) / 2, (from[1] + to[1]) / 2 - arc, (turn[0] + turn[1]) / 2);
  return arc ? [place(...from, turn[0]), middle, place(...to, turn[1])] : [place(...from, turn[0]), place(...to, turn[1])];
}
