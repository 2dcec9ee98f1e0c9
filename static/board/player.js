/** Plays a match on the board, ply by ply: waits until the pieces rest, then for a moment, then steps. */

/** How long a position is looked at before the next ply, at single speed. */
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
      // A position that is not known cannot be shown; neither can those after it be reached.
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

    /** Play on, from the beginning if there is nothing left; or stop. */
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

    /** The viewer went elsewhere. */
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
