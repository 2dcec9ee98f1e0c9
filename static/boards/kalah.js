/**
 * The Kalah board: a plank with two rows of pits and a store at either end; on a narrow one the rows are two halves of a
 * ring, around the stores. games/pictures/kalah.py draws the same shapes. Places are indices of `state.board`: seat
 * 0's pits from its left, its store, seat 1's pits from its left, its store. With P pits a side: stores P and 2P + 1.
 *
 * Players call a pit by its number: each side counts from 1, or the second side continues the first. `view.pits` is the
 * player's choice.
 *
 * @typedef {Boards.State & {board: number[], options: {pits: number, pie: boolean, sow_both_stores: boolean}}} State
 * @typedef {Boards.View<Event>} View
 *
 * @typedef {object} Event the fields of all kinds; the kind determines which are set
 * @property {string} kind
 * @property {number} seat
 * @property {number} start
 * @property {number[]} path
 * @property {number} pit
 * @property {number} opposite
 * @property {number[]} pits
 * @property {number} seeds
 *
 * @typedef {{x: number, y: number}} Point
 * @typedef {Point & {rx: number, ry: number}} Spot a place on the plank: its centre and radii
 * @typedef {{spots: Point[], layer: Point[]}} Layout
 */

/* global gettext, ngettext */

import { SHADE, at, circle, ellipse, gradient, group, number, path, rect, round, scatter, seatMark, shape, star, text } from "../shapes/svg.js";
import { listed, oneOf, say } from "../words/sentences.js";
import { PLAN } from "./plans/kalah.js";

/** Pits a side for which pits are numbered 1 to 12 by default. */
const ROUND = 6;

const COLOURS = PLAN.seeds;

/** @param {View} view */
const planOf = (view) => (view.narrow ? PLAN.narrow : PLAN.wide);

// Layout

/** @param {State} state */
const pitsOf = (state) => state.options.pits;
/** @param {State} state @param {number} seat */
const storeOf = (state, seat) => seat * (pitsOf(state) + 1) + pitsOf(state);
/** @param {State} state @param {number} place */
const ownerOf = (state, place) => (place <= pitsOf(state) ? 0 : 1);
/** @param {State} state @param {number} place */
const isStore = (state, place) => place === storeOf(state, ownerOf(state, place));
/** @param {State} state @param {number} place */
const numberOf = (state, place) => place - ownerOf(state, place) * (pitsOf(state) + 1) + 1;
/**
 * Whether pits are numbered round the board: by default with six a side, if the opponent's store is sown too.
 *
 * @param {State} state
 * @param {Boards.Sight} view
 */
const isRound = ({ options }, { pits = "auto" }) =>
  options.pits === ROUND && (pits === "round" || (pits === "auto" && options.sow_both_stores));
/** The displayed number of a pit. @param {State} state @param {number} place @param {Boards.Sight} view */
const shownNumber = (state, place, view) =>
  numberOf(state, place) + (isRound(state, view) ? ownerOf(state, place) * ROUND : 0);
/** @param {State} state @param {number} seat @param {number} number */
const placeOf = (state, seat, number) => seat * (pitsOf(state) + 1) + number - 1;

/** @param {State} state @param {View} view @returns {Boards.Size} */
export function viewBox(state, view) {
  if (view.narrow) {
    return /** @type {Boards.Size} */ (PLAN.narrow.size);
  }
  const { margin, end, pitch, pit, gap, band } = PLAN.wide;
  return [2 * (margin + end) + pitsOf(state) * pitch, 2 * band + 4 * pit[1] + gap];
}

/**
 * Centre and radii of a place on the plank. The bottom seat's pits run from left to right.
 *
 * @param {State} state
 * @param {number} place
 * @param {View} view
 * @returns {Spot}
 */
function spot(state, place, view) {
  const [width, height] = viewBox(state, view);
  const [[x, y], [rx, ry]] = isStore(state, place)
    ? [storeSpot(state, view), planOf(view).store]
    : [pitSpot(state, numberOf(state, place) - 0.5, 0, view), planOf(view).pit];
  return ownerOf(state, place) === view.bottom ? { x, y, rx, ry } : { x: round(width - x), y: round(height - y), rx, ry };
}

/** The centre of the bottom seat's store. @param {State} state @param {View} view */
function storeSpot(state, view) {
  const [width, height] = viewBox(state, view);
  return view.narrow
    ? [width / 2, height / 2 + PLAN.narrow.apart]
    : [width - PLAN.wide.margin - PLAN.wide.end / 2 + 4, height / 2];
}

/**
 * A point in the bottom seat's row: `along` counts pits from the left, `beyond` is how far it is outside their centres.
 *
 * @param {State} state
 * @param {number} along
 * @param {number} beyond
 * @param {View} view
 */
function pitSpot(state, along, beyond, view) {
  const [width, height] = viewBox(state, view);
  if (view.narrow) {
    const [rx, ry] = PLAN.narrow.ring;
    const angle = Math.PI * (1 - along / pitsOf(state));
    return [round(width / 2 + (rx + beyond) * Math.cos(angle)), round(height / 2 + (ry + beyond) * Math.sin(angle))];
  }
  const { margin, end, pitch, pit, band } = PLAN.wide;
  return [margin + end + along * pitch, height - band - pit[1] + beyond];
}

/** Where the number of seeds in a place stands: outside the rows, or inside the ring. @param {State} state @param {number} place @param {View} view */
function numberSpot(state, place, view) {
  const [width, height] = viewBox(state, view);
  const { pit, store, band } = planOf(view);
  const beyond = pit[1] + band / 2;
  const [middle, level] = storeSpot(state, view);
  const [x, y] = isStore(state, place)
    ? [middle, level + store[1] + band / 2]
    : pitSpot(state, numberOf(state, place) - 0.5, view.narrow ? -beyond : beyond, view);
  return ownerOf(state, place) === view.bottom ? [x, y] : [round(width - x), round(height - y)];
}

/** @param {State} state @param {View} view */
export function cells(state, view) {
  const mine = view.bottom;
  const other = 1 - mine;
  /** @param {number} seat */
  const row = (seat) => Array.from({ length: pitsOf(state) }, (_, i) => String(placeOf(state, seat, i + 1)));
  const ends = [String(storeOf(state, other)), String(storeOf(state, mine))];
  return [[ends[0], ...row(other).reverse(), ends[1]], [ends[0], ...row(mine), ends[1]]];
}

// Seeds

/**
 * Seed positions in a place: the closest to the middle that touch no other seed of the layer.
 *
 * @type {Map<string, Layout>}
 */
const layouts = new Map();

/** @param {number} place @param {number} count @param {Spot} room @param {number} radius */
function seedSpots(place, count, { rx, ry }, radius) {
  const key = `${place} ${rx} ${ry}`;
  const layout = layouts.get(key) ?? { spots: [], layer: [] };
  layouts.set(key, layout);
  while (layout.spots.length < count) {
    const seed = freeSpot(place, layout, rx - radius * 1.15, ry - radius * 1.15, radius * 1.85);
    layout.layer.push(seed);
    layout.spots.push(seed);
  }
  return layout.spots.slice(0, count);
}

/** @param {number} place @param {Layout} layout @param {number} rx @param {number} ry @param {number} apart */
function freeSpot(place, layout, rx, ry, apart) {
  const nth = layout.spots.length;
  const tries = Array.from({ length: 48 }, (_, i) => {
    const angle = scatter(place, nth, i, 0) * 2 * Math.PI;
    const reach = Math.sqrt(scatter(place, nth, i, 1));
    return { x: Math.cos(angle) * reach * rx, y: Math.sin(angle) * reach * ry };
  }).sort((a, b) => Math.hypot(a.x, a.y) - Math.hypot(b.x, b.y));
  const free = tries.find((p) => layout.layer.every((q) => Math.hypot(p.x - q.x, p.y - q.y) >= apart));
  if (!free) {
    layout.layer = [];
  }
  return free ?? tries[0];
}

/** The most positions whose colours are remembered. */
const MOST_REMEMBERED = 2000;

/**
 * The colours of the seeds in each place, by the board that they lie on: seeds keep their colour from pit to pit, and a
 * state only counts them. A position that no seeds were seen to come to has colours of its own.
 *
 * @type {Map<string, number[][]>}
 */
const remembered = new Map();

/** @param {number[]} board @returns {number[][]} */
function coloursOf(board) {
  return remembered.get(board.join()) ?? board.map((count, place) =>
    Array.from({ length: count }, (_, nth) => Math.floor(scatter(place, nth, 2) * COLOURS.length)));
}

/** The position with seeds of these colours in each place. @param {State} state @param {number[][]} colours @returns {State} */
function laid(state, colours) {
  const board = colours.map(({ length }) => length);
  remembered.delete(board.join());
  remembered.set(board.join(), colours);
  if (remembered.size > MOST_REMEMBERED) {
    remembered.delete(/** @type {string} */ (remembered.keys().next().value));
  }
  return { ...state, board };
}

/**
 * The `nth` seed of a place, lying at x, y.
 *
 * @param {number} place
 * @param {number} nth
 * @param {number} colour
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 */
function seed(place, nth, colour, x, y, radius) {
  return shape("use", { key: nth, href: `#kalah-${COLOURS[colour]}`, transform: lying(place, nth, x, y, radius) });
}

/** The same in a small board and a picture: without gloss, as hundreds of those take long to paint. @type {typeof seed} */
function smallSeed(place, nth, colour, x, y, radius) {
  const [fill, stroke] = [`var(--seed-${COLOURS[colour]})`, `var(--seed-${COLOURS[colour]}-edge)`];
  return ellipse(0, 0, 1, 0.8, { key: nth, fill, stroke, "stroke-width": 0.2, transform: lying(place, nth, x, y, radius) });
}

/** @param {number} place @param {number} nth @param {number} x @param {number} y @param {number} radius */
const lying = (place, nth, x, y, radius) => at(x, y, { turn: scatter(place, nth, 3) * 360, scale: radius });

/** @param {State} state @param {number} place @param {View} view */
function seeds(state, place, view) {
  const where = spot(state, place, view);
  const { seed: radius } = planOf(view);
  const spots = seedSpots(place, state.board[place], where, radius);
  const colours = coloursOf(state.board)[place];
  const draw = view.small ? smallSeed : seed;
  return spots.map(({ x, y }, nth) => draw(place, nth, colours[nth], where.x + x, where.y + y, radius));
}

/**
 * Moving seeds around 0, 0: the future `nths` seeds of `places`.
 *
 * @param {number[]} places
 * @param {number[]} nths
 * @param {number[]} colours
 * @param {View} view
 */
function handful(places, nths, colours, view) {
  const { seed: radius } = planOf(view);
  const draw = view.small ? smallSeed : seed;
  return group({}, places.map((place, i) => {
    const angle = i * 2.4;
    const reach = i === 0 ? 0 : radius * 0.95 * Math.sqrt(i);
    const one = draw(place, nths[i], colours[i], Math.cos(angle) * reach, Math.sin(angle) * reach, radius);
    return { ...one, key: i };
  }));
}

// Drawing

/** @param {State} state @param {View} view */
export function draw(state, view) {
  const places = state.board.map((_, place) => place);
  return [definitions(), ...plank(state, view), ...places.map((place) => drawPlace(state, place, view))];
}

function definitions() {
  /** @param {string} colour */
  const seedLook = (colour) => [
    gradient("radialGradient", `kalah-${colour}-skin`, [
      [0, `var(--seed-${colour})`],
      [0.55, `var(--seed-${colour})`],
      [1, `var(--seed-${colour}-edge)`],
    ], { cx: 0.4, cy: 0.35, r: 0.75 }),
    group({ id: `kalah-${colour}`, key: `kalah-${colour}` }, [
      ellipse(0.05, 0.14, 1.06, 0.86, SHADE),
      ellipse(0, 0, 1, 0.8, { fill: `url(#kalah-${colour}-skin)` }),
      ellipse(-0.3, -0.3, 0.34, 0.17, { fill: "var(--seed-gloss)", "fill-opacity": 0.5, transform: "rotate(-24 -0.3 -0.3)" }),
    ]),
  ];
  return shape("defs", { key: "defs" }, [
    gradient("linearGradient", "kalah-wood", [
      [0, "var(--wood-light)"],
      [0.5, "var(--wood)"],
      [1, "var(--wood-dark)"],
    ], { x2: 0.25, y2: 1 }),
    gradient("radialGradient", "kalah-hollow", [
      [0, "var(--hollow)"],
      [0.7, "var(--hollow)"],
      [1, "var(--hollow-deep)"],
    ], { cx: 0.5, cy: 0.62, r: 0.62 }),
    gradient("linearGradient", "kalah-lip", [
      [0, "var(--wood-edge)"],
      [0.55, "var(--wood-dark)"],
      [1, "var(--wood-light)"],
    ], { x2: 0, y2: 1 }),
    ...COLOURS.flatMap(seedLook),
  ]);
}

/** @param {State} state @param {View} view */
function plank(state, view) {
  const [width, height] = viewBox(state, view);
  const { corner, thick } = planOf(view);
  return [
    rect(2, 4, width - 4, height - 5, { key: "edge", rx: corner, fill: "var(--wood-edge)" }),
    rect(2, 2, width - 4, height - thick, { key: "plank", rx: corner, fill: "url(#kalah-wood)" }),
    ...(view.narrow ? [path(`M12 ${height / 2}H${width - 12}`, { key: "sides", stroke: "var(--groove)", "stroke-width": 2, "stroke-opacity": 0.4 })] : []),
    ...(view.small ? [] : [path(grain(width, height - thick, corner), {
      key: "grain",
      fill: "none",
      stroke: "var(--wood-grain)",
      "stroke-opacity": 0.28,
      "stroke-width": view.narrow ? 0.8 : 1.6,
    })]),
  ];
}

/**
 * Long, slightly wavy lines along the plank.
 *
 * @param {number} width
 * @param {number} height
 * @param {number} corner
 */
function grain(width, height, corner) {
  const lines = Array.from({ length: 11 }, (_, i) => {
    const y = ((i + 0.5) / 11) * height;
    const inset = 2 + Math.max(0, corner - Math.min(y, height - y)) * 0.6;
    const bend = (scatter(i, 5) - 0.5) * 26 * (height / 300);
    const end = y + (scatter(i, 6) - 0.5) * 6;
    return `M${round(inset)} ${round(y)}C${round(width * 0.3)} ${round(y + bend)} ${round(width * 0.65)} ${round(y - bend)} ${round(width - inset)} ${round(end)}`;
  });
  return lines.join("");
}

/** @param {State} state @param {number} place @param {View} view */
function drawPlace(state, place, view) {
  const where = spot(state, place, view);
  const store = isStore(state, place);
  const playable = isPlayable(state, place, view);
  return group({ key: `place-${place}`, cell: cellOf(state, place, view, where, playable) }, [
    hollow(where, store, view),
    ...(view.last ? lastMarks(state, place, view, where) : []),
    playable && frame(where, store, 2, { key: "playable", "stroke-width": view.narrow ? 3 : 4 }),
    view.small && store && !view.outcome && ownerOf(state, place) === state.turn && frame(where, true, 6, { key: "turn", "stroke-width": 5 }),
    group({ key: "seeds" }, seeds(state, place, view)),
    store ? storeWords(state, place, view) : pitWords(state, place, view, where, playable),
  ]);
}

/**
 * The corners of a place: a pit is an ellipse, a store has round ends.
 *
 * @param {Spot} spot
 * @param {boolean} store
 */
const corners = ({ rx, ry }, store) => (store ? [Math.min(rx, ry), Math.min(rx, ry)] : [rx, ry]);

/** A line around a place, `beyond` its edge. @param {Spot} spot @param {boolean} store @param {number} beyond @param {import("../shapes/svg.js").Attrs} attrs */
function frame(spot, store, beyond, attrs) {
  const { x, y, rx, ry } = spot;
  const [across, down] = corners(spot, store);
  return rect(round(x - rx - beyond), round(y - ry - beyond), 2 * (rx + beyond), 2 * (ry + beyond), {
    rx: across + beyond,
    ry: down + beyond,
    fill: "none",
    stroke: "var(--mark)",
    ...attrs,
  });
}

/** @param {Spot} spot @param {boolean} store @param {View} view */
function hollow(spot, store, view) {
  const { x, y, rx, ry } = spot;
  const { lip } = planOf(view);
  const [across, down] = corners(spot, store);
  return group({ key: "hollow" }, [
    rect(round(x - rx - lip), round(y - ry - lip), 2 * (rx + lip), 2 * (ry + lip), { rx: across + lip, ry: down + lip, fill: "url(#kalah-lip)" }),
    rect(round(x - rx), round(y - ry), 2 * rx, 2 * ry, { rx: across, ry: down, fill: "url(#kalah-hollow)" }),
  ]);
}

/** @param {State} state @param {number} place @param {View} view */
function isPlayable(state, place, view) {
  return ownerOf(state, place) === view.seat && !isStore(state, place) && view.legal.includes(String(numberOf(state, place)));
}

/**
 * A dashed ring where the last sowing began, a solid notch where it ended.
 *
 * @param {State} state
 * @param {number} place
 * @param {View} view
 * @param {Spot} where
 */
function lastMarks(state, place, view, where) {
  const sown = view.last?.events.find(({ kind }) => kind === "sown");
  const thin = view.narrow ? 1.8 : 3;
  if (sown?.start === place) {
    return [frame(where, isStore(state, place), 0, { key: "last", "stroke-width": thin, "stroke-dasharray": `${thin * 2} ${thin * 2}` })];
  }
  if (sown?.path.at(-1) === place) {
    const side = ownerOf(state, place) === view.bottom ? -1 : 1;
    return [circle(where.x, where.y + side * (where.ry + thin), thin * 2.2, { key: "last", fill: "var(--mark)", stroke: "var(--mark-edge)", "stroke-width": thin / 3 })];
  }
  return [];
}

/**
 * The number of seeds beside the pit; its hotkey on its rim.
 *
 * @param {State} state
 * @param {number} place
 * @param {View} view
 * @param {Spot} spot
 * @param {boolean} playable
 */
function pitWords(state, place, view, { x, y, ry }, playable) {
  const side = ownerOf(state, place) === view.bottom ? 1 : -1;
  return group({ key: "words" }, [
    count(state, place, numberSpot(state, place, view), view),
    playable && keyMark(shownNumber(state, place, view), x, y + side * (ry - (view.narrow ? 7 : 9)), view.narrow ? 0.65 : 1),
  ]);
}

/** @param {State} state @param {number} place @param {number[]} spot @param {View} view */
const count = (state, place, [x, y], view) =>
  number(state.board[place], x, y, planOf(view).number, { key: "count", stroke: "var(--on-wood)", "stroke-width": 1.1 });

/** @param {number} key @param {number} x @param {number} y @param {number} scale */
function keyMark(key, x, y, scale) {
  return group({ key: "key", class: "board-key", transform: at(x, y, { scale }) }, [
    rect(-10, -11, 20, 22, { rx: 5, fill: "var(--mark)", stroke: "var(--mark-edge)", "stroke-width": 1.5 }),
    text(0, 0.5, key, { size: key < 10 ? 15 : 13, fill: "var(--mark-edge)", "font-weight": 700 }),
  ]);
}

/** Whose a store is, or the star of the winner, beside the number of its seeds. @param {State} state @param {number} place @param {View} view */
function storeWords(state, place, view) {
  const [x, y] = numberSpot(state, place, view);
  const [left, right, r] = planOf(view).owner;
  const seat = ownerOf(state, place);
  const won = view.outcome?.winners.includes(seat);
  return group({ key: "words" }, [
    won ? star(x + left, y, r * 1.3) : seatMark(seat, x + left, y, r, { key: "owner" }),
    count(state, place, [x + right, y], view),
  ]);
}

// Words

/** @param {State} state @param {number} place @param {View} view @param {Spot} spot @param {boolean} playable @returns {Boards.Cell} */
function cellOf(state, place, view, { x, y, rx, ry }, playable) {
  return {
    name: String(place),
    label: label(state, place, view, playable),
    box: [x - rx, y - ry, 2 * rx, 2 * ry],
    round: true,
    playable,
    hotkey: !isStore(state, place) && ownerOf(state, place) === view.seat ? String(shownNumber(state, place, view)) : undefined,
  };
}

/** @param {State} state @param {number} place @param {View} view @param {boolean} playable */
function label(state, place, view, playable) {
  const owner = ownerOf(state, place);
  const count = state.board[place];
  const words = { name: view.names[owner], number: shownNumber(state, place, view), count };
  const mine = owner === view.seat;
  if (isStore(state, place)) {
    return say(mine
      ? ngettext("Your store: %(count)s seed", "Your store: %(count)s seeds", count)
      : ngettext("%(name)s’s store: %(count)s seed", "%(name)s’s store: %(count)s seeds", count), words);
  }
  const pit = say(mine
    ? ngettext("Your pit %(number)s: %(count)s seed", "Your pit %(number)s: %(count)s seeds", count)
    : ngettext("%(name)s’s pit %(number)s: %(count)s seed", "%(name)s’s pit %(number)s: %(count)s seeds", count), words);
  return playable ? say(gettext("%(pit)s, can be sown"), { pit }) : pit;
}

// Input

/**
 * @param {string} cell
 * @param {string|null} selection
 * @param {string[]} legal
 * @param {State} state
 * @param {View} view
 */
export function pick(cell, selection, legal, state, view) {
  const place = Number(cell);
  const owner = ownerOf(state, place);
  const move = String(numberOf(state, place));
  if (isStore(state, place)) {
    return { refusal: gettext("Seeds in a store stay there. Choose one of your pits.") };
  }
  if (owner !== view.seat) {
    return { refusal: say(gettext("That pit is %(name)s’s. Yours are in the near row."), { name: view.names[owner] }) };
  }
  return legal.includes(move) ? { move } : { refusal: gettext("That pit is empty. Choose one with seeds.") };
}

/**
 * Any pit of a seat, empty ones too: the opponent may sow into them.
 *
 * @param {State} state
 * @param {number} seat
 * @returns {Boards.Premoves}
 */
export function premoves(state, seat) {
  const numbers = Array.from({ length: pitsOf(state) }, (_, i) => i + 1);
  return {
    state: { ...state, turn: seat },
    moves: Object.fromEntries(numbers.map((number) => [String(number), [String(placeOf(state, seat, number))]])),
  };
}

/** @param {State} state @param {View} view */
export function controls(state, view) {
  return view.legal.includes("swap")
    ? [{
      move: "swap",
      label: gettext("Swap sides"),
      hotkey: "s",
      hint: gettext("Instead of sowing, you can take your opponent’s side. You can do this only now."),
    }]
    : [];
}

/** @param {State} state */
export const hasButtons = (state) => state.options.pie;

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

// Names of moves

/** @param {string} move @param {State} state @param {Boards.Sight} view */
export function moveName(move, state, view) {
  return move === "swap" ? gettext("swap") : String(shownNumber(state, placeOf(state, state.turn, Number(move)), view));
}

/**
 * A typed number is the displayed number of a pit; the server validates all other text.
 *
 * @param {string} typed
 * @param {State} state
 * @param {Boards.Sight} view
 * @returns {Boards.Answer}
 */
export function typedMove(typed, state, view) {
  const [first, last] = [1, pitsOf(state)].map((number) => shownNumber(state, placeOf(state, state.turn, number), view));
  if (!/^\d+$/.test(typed) || (Number(typed) >= first && Number(typed) <= last)) {
    return { move: typed };
  }
  return { refusal: say(gettext("Pit %(pit)s is not yours. Yours are %(first)s to %(last)s."), { pit: typed, first, last }) };
}

// Sentences

/** @param {Event} event @param {View} view @param {State} state */
export function narrate(event, view, state) {
  return NARRATED[event.kind]?.(event, view, state) ?? "";
}

/** @type {Record<string, (event: Event, view: View, state: State) => string>} */
const NARRATED = {
  /** @param {Event} event @param {View} view @param {State} state */
  sown({ seat, start, path: places }, view, state) {
    const count = places.length;
    const words = { name: view.names[seat], number: shownNumber(state, start, view), count };
    return seat === view.seat
      ? say(ngettext("You sowed %(count)s seed from pit %(number)s.", "You sowed %(count)s seeds from pit %(number)s.", count), words)
      : say(ngettext("%(name)s sowed %(count)s seed from pit %(number)s.", "%(name)s sowed %(count)s seeds from pit %(number)s.", count), words);
  },
  /** @param {Event} event @param {View} view */
  captured({ seat, seeds: count }, view) {
    const words = { name: view.names[seat], count };
    return seat === view.seat
      ? say(ngettext("You captured %(count)s seed.", "You captured %(count)s seeds.", count), words)
      : say(ngettext("%(name)s captured %(count)s seed.", "%(name)s captured %(count)s seeds.", count), words);
  },
  /** @param {Event} event @param {View} view */
  turnkept({ seat }, view) {
    return seat === view.seat
      ? gettext("The last seed landed in your store: you move again.")
      : say(gettext("The last seed landed in %(name)s’s store: another move."), { name: view.names[seat] });
  },
  /** @param {Event} event @param {View} view */
  swept({ seat, seeds: count }, view) {
    const words = { name: view.names[seat], count };
    return seat === view.seat
      ? say(ngettext("You keep the last %(count)s seed.", "You keep the last %(count)s seeds.", count), words)
      : say(ngettext("%(name)s keeps the last %(count)s seed.", "%(name)s keeps the last %(count)s seeds.", count), words);
  },
  /** @param {Event} event @param {View} view */
  swapped({ seat }, view) {
    return seat === view.seat ? gettext("You swapped sides.") : say(gettext("%(name)s swapped sides."), { name: view.names[seat] });
  },
};

/**
 * The pits that the player on turn can sow.
 *
 * @param {State} state
 * @param {Boards.Sight} view
 */
export function prompt(state, view) {
  const { legal } = view;
  const pits = legal.filter((move) => move !== "swap");
  const sow = pits.length === pitsOf(state)
    ? gettext("Sow any of your pits.")
    : say(gettext("Sow pit %(pits)s."), { pits: oneOf(pits.map((move) => moveName(move, state, view))) });
  return [pits.length > 0 && sow, pits.length < legal.length && gettext("Or swap sides.")].filter(Boolean).join(" ");
}

/** @param {State} state @param {View} view */
export function summary(state, view) {
  /** @param {number} seat */
  const side = (seat) => {
    const from = placeOf(state, seat, 1);
    const words = {
      name: view.names[seat],
      first: shownNumber(state, from, view),
      pits: listed(state.board.slice(from, from + pitsOf(state))),
      store: state.board[storeOf(state, seat)],
    };
    return seat === view.seat
      ? say(gettext("Your pits from %(first)s: %(pits)s; your store: %(store)s."), words)
      : say(gettext("%(name)s’s pits from %(first)s: %(pits)s; store: %(store)s."), words);
  };
  return `${side(view.bottom)} ${side(1 - view.bottom)}`;
}

/**
 * Advice for a newcomer: a capture if there is one, else a pit that earns another turn.
 *
 * @param {State} state
 * @param {Boards.Sight} view
 * @param {Event[]} events of the last ply
 * @returns {Boards.Advice|null}
 */
export function coach(state, view, events) {
  const seat = view.seat ?? 0;
  const sowings = view.legal.filter((move) => move !== "swap");
  const again = events.some((event) => event.kind === "turnkept" && event.seat === seat);
  const capture = sowings.find((move) => captures(state, placeOf(state, seat, Number(move))));
  if (capture) {
    const told = say(gettext("Pit %(pit)s ends in an empty pit and captures."), { pit: moveName(capture, state, view) });
    const words = again
      ? gettext("Last seed in your store: move again! The glowing pit captures.")
      : gettext("Tap the glowing pit: it ends in an empty pit and captures.");
    return { move: capture, words, told };
  }
  const store = sowings.find((move) => lastOf(state, placeOf(state, seat, Number(move))) === storeOf(state, seat));
  const told = store ? say(gettext("The last seed of pit %(pit)s lands in your store."), { pit: moveName(store, state, view) }) : "";
  if (again) {
    return { move: store ?? null, words: gettext("Last seed in your store: move again!"), told };
  }
  return store ? { move: store, words: gettext("Tap a glowing pit: its last seed lands in your store."), told } : null;
}

/** The place of a pit's last seed, if it is less than a lap away. @param {State} state @param {number} place */
function lastOf(state, place) {
  const last = place + state.board[place];
  return last < state.board.length ? last : null;
}

/** @param {State} state @param {number} place */
function captures(state, place) {
  const last = lastOf(state, place);
  if (last === null || state.board[last] || isStore(state, last) || ownerOf(state, last) !== ownerOf(state, place)) {
    return false;
  }
  return state.board[2 * pitsOf(state) - last] > 0;
}

/** The place of the last seed of a pit, after any number of laps. @param {State} state @param {number} start */
function landing(state, start) {
  const skipped = state.options.sow_both_stores ? null : storeOf(state, 1 - state.turn);
  const lap = state.board.map((_, i) => (start + i + 1) % state.board.length).filter((place) => place !== skipped);
  return lap[(state.board[start] - 1) % lap.length];
}

/** From a pit to where its last seed lands. @param {string} move @param {State} state @param {View} view @returns {Boards.Track[]} */
export function tracks(move, state, view) {
  if (move === "swap") {
    return [];
  }
  const start = placeOf(state, state.turn, Number(move));
  const [from, to] = [start, landing(state, start)].map((place) => spot(state, place, view));
  return [{ spots: [[from.x, from.y, from.rx], [to.x, to.y, 0]], bend: 0.25 }];
}

/** @param {State} state @param {number} seat */
export function tally(state, seat) {
  return String(state.board[storeOf(state, seat)]);
}

/** @param {Boards.Outcome} outcome @param {View} view */
export function result(outcome, view) {
  if (outcome.reason !== "swept") {
    return "";
  }
  const first = view.seat ?? 0;
  const words = {
    first: view.names[first],
    second: view.names[1 - first],
    mine: outcome.scores[first],
    theirs: outcome.scores[1 - first],
  };
  return say(view.seat === null
    ? gettext("%(first)s collected %(mine)s seeds, %(second)s %(theirs)s.")
    : gettext("You collected %(mine)s seeds, %(second)s %(theirs)s."), words);
}

/**
 * The largest capture of a match.
 *
 * @param {(Boards.Ply & {number: number})[]} plies
 * @param {View} view
 * @param {(ply: number) => number} moveAt
 */
export function fact(plies, view, moveAt) {
  const captures = plies.flatMap(({ number, events }) =>
    /** @type {Event[]} */ (events).filter(({ kind }) => kind === "captured").map((event) => ({ ...event, number })),
  );
  const best = captures.reduce((most, each) => (each.seeds > most.seeds ? each : most), { seat: -1, seeds: 0, number: 0 });
  if (best.seeds === 0) {
    return "";
  }
  const words = { name: view.names[best.seat], count: best.seeds, move: moveAt(best.number) };
  return best.seat === view.seat
    ? say(ngettext("Your biggest capture: %(count)s seed, on move %(move)s.", "Your biggest capture: %(count)s seeds, on move %(move)s.", words.count), words)
    : say(ngettext("Biggest capture: %(count)s seed by %(name)s, on move %(move)s.", "Biggest capture: %(count)s seeds by %(name)s, on move %(move)s.", words.count), words);
}

/** @param {Boards.Ply} ply @param {Boards.Sight} view @param {State} state */
export function notation(ply, view, state) {
  const sown = /** @type {Event[]} */ (ply.events).find(({ kind }) => kind === "sown");
  return sown ? String(shownNumber(state, sown.start, view)) : gettext("swap");
}
