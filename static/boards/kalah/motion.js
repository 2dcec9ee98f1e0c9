/**
 * The frames of the animations.
 *
 * @typedef {import("./position.js").State} State
 * @typedef {import("./position.js").View} View
 * @typedef {import("./position.js").Event} Event
 */

import { planOf, spot } from "./layout.js";
import { pitsOf, storeOf } from "./position.js";
import { coloursOf, handful, laid, seedSpots } from "./seeds.js";

// Motion

/** @param {Event} event @param {State} state @param {View} view */
export function motion(event, state, view) {
  return MOTIONS[event.kind]?.(event, state, view) ?? [];
}

/** @type {Record<string, (event: Event, state: State, view: View) => Boards.Frame<State>[]>} */
const MOTIONS = { sown, captured, swept, swapped };

/** The sound of each event. */
export const sounds = Object.freeze({ sown: "seed", captured: "capture", turnkept: "again", swept: "capture", swapped: "slide" });

/** @param {State} state @param {number} place @param {View} view @returns {[number, number]} */
const centre = (state, place, view) => {
  const { x, y } = spot(state, place, view);
  return [x, y];
};

/**
 * The seeds are lifted and dropped along the path, one in every place.
 *
 * @param {Event} event
 * @param {State} state
 * @param {View} view
 * @returns {Boards.Frame<State>[]}
 */
function sown({ start, path: places }, state, view) {
  const ms = places.length > 12 ? 130 : places.length > 7 ? 170 : 220;
  let colours = coloursOf(state.board);
  const lifted = colours[start];
  colours = colours.with(start, []);
  let now = laid(state, colours);
  /** @type {Boards.Frame<State>[]} */
  const frames = [{ state: now, ms: 60, flash: [String(start)] }];
  let from = centre(state, start, view);
  const nths = places.map((place, i) => now.board[place] + places.slice(0, i).filter((p) => p === place).length);
  places.forEach((place, i) => {
    const to = centre(state, place, view);
    colours = colours.with(place, [...colours[place], lifted[i]]);
    const next = laid(now, colours);
    const where = spot(state, place, view);
    const { x, y } = seedSpots(place, nths[i] + 1, where, planOf(view).seed)[nths[i]];
    /** @type {Boards.Flight[]} */
    const fly = [{ shape: handful([place], [nths[i]], [lifted[i]], view), from, to: [where.x + x, where.y + y] }];
    if (i + 1 < places.length) {
      fly.unshift({ shape: handful(places.slice(i + 1), nths.slice(i + 1), lifted.slice(i + 1), view), from, to });
    }
    frames.push({ state: next, ms, fly });
    now = next;
    from = to;
  });
  return frames;
}

/**
 * Highlights some places, then moves their seeds to another.
 *
 * @param {State} state
 * @param {number[]} from
 * @param {number} to
 * @param {number} ms
 * @param {View} view
 * @returns {Boards.Frame<State>[]}
 */
function gather(state, from, to, ms, view) {
  const full = from.filter((place) => state.board[place] > 0);
  const colours = coloursOf(state.board);
  const left = colours.map((seeds, place) => (full.includes(place) ? [] : seeds));
  const lifted = laid(state, left);
  return [
    { state, ms: 750, flash: full.map(String) },
    { state: lifted, ms: 0 },
    {
      state: laid(lifted, left.with(to, [...left[to], ...full.flatMap((place) => colours[place])])),
      ms,
      fly: full.map((place) => ({
        shape: bunch(state, place, view),
        from: centre(state, place, view),
        to: centre(state, to, view),
        arc: planOf(view).pit[1],
      })),
    },
  ];
}

/** @param {State} state @param {number} place @param {View} view */
function bunch(state, place, view) {
  const nths = Array.from({ length: state.board[place] }, (_, i) => i);
  return handful(nths.map(() => place), nths, coloursOf(state.board)[place], view);
}

/** @param {Event} event @param {State} state @param {View} view @returns {Boards.Frame<State>[]} */
function captured({ seat, pit, opposite }, state, view) {
  return gather(state, [pit, opposite], storeOf(state, seat), 480, view);
}

/** @param {Event} event @param {State} state @param {View} view @returns {Boards.Frame<State>[]} */
function swept({ seat, pits }, state, view) {
  return gather(state, pits, storeOf(state, seat), 650, view);
}

/**
 * Both sides exchange all their seeds.
 *
 * @param {Event} event
 * @param {State} state
 * @param {View} view
 * @returns {Boards.Frame<State>[]}
 */
function swapped(event, state, view) {
  const half = pitsOf(state) + 1;
  /** @param {number} place */
  const away = (place) => (place + half) % (2 * half);
  const places = state.board.map((_, place) => place);
  return [
    { state: { ...state, board: state.board.map(() => 0) }, ms: 0 },
    {
      state: laid(state, places.map((place) => coloursOf(state.board)[away(place)])),
      ms: 800,
      fly: places.filter((place) => state.board[place] > 0).map((place) => ({
        shape: bunch(state, place, view),
        from: centre(state, place, view),
        to: centre(state, away(place), view),
      })),
    },
  ];
}
