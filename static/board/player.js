/** Plays a match ply by ply: waits until the pieces are at rest, pauses, then steps. */

/** Pause after each ply in milliseconds, at single speed. */
const LOOK_MS = 900;

/**
 * @param {object} way
 * @param {() => {shown: number, last: number}} way.where the ply on the board and the newest
 * @param {(to: number) => void} way.step
 * @param {() => number} way.pace how many times faster than single speed
 * @param {(playing: boolean) => void} way.onChange
 * @param {{setTimeout: typeof setTimeout, clearTimeout: typeof clearTimeout}} [timers]
 */
export function createPlayer({ where, step, pace, onChange }, timers = globalThis) {
  let playing = false;
  let timer = 0;

  /** @param {boolean} value */
  function set(value) {
    timers.clearTimeout(timer);
    if (value !== playing) {
      playing = value;
      onChange(playing);
    }
  }

  function next() {
    const to = where().shown + 1;
    step(to);
    if (where().shown !== to) {
      // An unknown position cannot be shown, nor any after it.
      set(false);
    }
  }

  function wait() {
    timers.clearTimeout(timer);
    timer = timers.setTimeout(next, LOOK_MS / pace());
  }

  return {
    get playing() {
      return playing;
    },

    /** Play or stop; from the beginning if the match is at its end. */
    toggle() {
      if (playing) {
        set(false);
        return;
      }
      const { shown, last } = where();
      set(true);
      if (shown >= last) {
        step(0);
      }
      wait();
    },

    /** The user went to another ply. */
    stop: () => set(false),

    /** The pieces are at rest. */
    rested() {
      const { shown, last } = where();
      if (playing && shown >= last) {
        set(false);
      } else if (playing) {
        wait();
      }
    },
  };
}
