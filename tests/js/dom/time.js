/** Time that a test moves by hand: timers, frames, `performance.now` and `Date.now` go by it. */

const FRAME = 16;

export class Time {
  /** @param {number} epoch Unix time at the beginning, in milliseconds */
  constructor(epoch) {
    this.epoch = epoch;
    this.now = 0;
    this.tasks = new Map();
    this.last = 0;
  }

  /** What a window has of it, bound to it. */
  globals() {
    const once = (what, ms = 0, ...values) => this.#add(what, ms, values);
    const clear = (id) => void this.tasks.delete(id);
    return {
      setTimeout: once,
      setInterval: (what, ms = 0, ...values) => this.#add(what, ms, values, Math.max(1, ms)),
      clearTimeout: clear,
      clearInterval: clear,
      requestAnimationFrame: (what) => once(() => what(this.now), FRAME),
      cancelAnimationFrame: clear,
      performance: { now: () => this.now, getEntriesByType: () => [] },
    };
  }

  #add(what, ms, values, every = null) {
    this.last += 1;
    this.tasks.set(this.last, { at: this.now + Math.max(0, Number(ms) || 0), what, values, every });
    return this.last;
  }

  /**
   * Let time pass: what is due runs in its order, and all that follows from it before the next.
   *
   * @param {number} ms
   */
  async pass(ms) {
    const end = this.now + ms;
    await settled();
    for (let due = this.#next(end); due; due = this.#next(end)) {
      const [id, task] = due;
      this.now = Math.max(this.now, task.at);
      if (task.every === null) {
        this.tasks.delete(id);
      } else {
        task.at = this.now + task.every;
      }
      task.what(...task.values);
      await settled();
    }
    this.now = end;
  }

  #next(end) {
    const due = [...this.tasks].filter(([, { at }]) => at <= end);
    return due.sort(([a, one], [b, other]) => one.at - other.at || a - b)[0];
  }
}

const { setImmediate } = globalThis;

/** All promises that can be kept now are, and modules that were being loaded may have come. */
export function settled() {
  return new Promise((done) => setImmediate(() => setImmediate(done)));
}
