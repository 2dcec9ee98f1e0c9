/**
 * Aces: a round table, a tray of dice for each seat, the centre in the middle.
 *
 * Seats are clockwise in turn order, so that the next player is always on the left. The state is the one of
 * games/rules/aces.py. While a throw is shown it may also hold `landing`, the seat whose dice have just landed;
 * `tumbling`, a number that changes with every frame of rolling dice; and null for a die in motion.
 *
 * @typedef {number|null} Die
 *
 * @typedef {object} Own the fields of this game's state
 * @property {{dice: number}} options
 * @property {Die[][]} dice
 * @property {boolean[]} present
 * @property {number} centre
 * @property {number|null} [landing]
 * @property {number} [tumbling]
 *
 * @typedef {Boards.State & Own} State
 * @typedef {Boards.View<Event>} View
 *
 * @typedef {object} Event the fields of all kinds; the kind determines which are set
 * @property {string} kind
 * @property {number} seat
 * @property {number[]} faces
 * @property {number} count
 * @property {number} in_play
 * @property {number} to
 * @property {string} side
 * @property {number} next
 * @property {string} why
 *
 * @typedef {{x: number, y: number, size: number, turn: number}} Spot the position of a die
 */

/* global gettext, ngettext */

import {
  SHADE,
  at, circle, die, gradient, group, path, rect, round, scatter, seatFill, seatMark, seatPatterns, shape, text,
} from "../shapes/svg.js";
import { fitted } from "../shapes/names.js";
import { say } from "../words/sentences.js";

const SIDES = 6;
const [ACE, TWO, FIVE] = [1, 2, 5];
/** Milliseconds before each frame of rolling dice. */
const ROLLING_MS = [0, 50, 50, 60, 70, 85, 100];
const LAST_ROLL_MS = 130;
const LOOK_MS = 550;
const FLIGHT_MS = 420;
const TURN_MS = 150;
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

/** The layout by number of seats, in units of a phone's and of a wide page's view box. */
const LAYOUTS = [
  { seats: 2, phone: { size: [390, 400], tray: [270, 92], pot: 43, dice: 40 }, wide: { size: [720, 570], tray: [320, 130], pot: 70, dice: 44 } },
  { seats: 3, phone: { size: [390, 420], tray: [166, 92], pot: 48, dice: 34 }, wide: { size: [720, 580], tray: [226, 130], pot: 74, dice: 44 } },
  { seats: 4, phone: { size: [390, 430], tray: [118, 104], pot: 44, dice: 32 }, wide: { size: [720, 590], tray: [200, 130], pot: 79, dice: 40 } },
  { seats: 6, phone: { size: [390, 450], tray: [112, 100], pot: 50, dice: 30 }, wide: { size: [720, 600], tray: [180, 130], pot: 85, dice: 36 } },
  { seats: 8, phone: { size: [390, 540], tray: [110, 96], pot: 56, dice: 28 }, wide: { size: [720, 610], tray: [164, 126], pot: 92, dice: 34 } },
];
const NAME_HEIGHT = 24;
/** The width of the line below the centre, and the width of a bold letter in em. */
const [HEADLINE, LETTER] = [240, 0.6];
/** Space of a tray above its dice for name and pattern, and below them for their number. */
const [HEAD, FOOT] = [37, 25];
/** The same on a phone, where the names are above and below the board. */
const [PHONE_HEAD, PHONE_FOOT] = [13, 25];

/** @param {View} view */
function layout(view) {
  const { phone, wide } = LAYOUTS.find(({ seats }) => view.names.length <= seats) ?? LAYOUTS[LAYOUTS.length - 1];
  const { size: [width, height], tray: [trayWidth, trayHeight], pot, dice } = view.narrow ? phone : wide;
  const look = view.narrow
    ? { type: 13.5, margin: 13, rim: 9, corner: 0.12, head: PHONE_HEAD, foot: PHONE_FOOT }
    : { type: 15.5, margin: 26, rim: 20, corner: 0.24, head: HEAD, foot: FOOT };
  return { width, height, trayWidth, trayHeight, pot, dice, ...look };
}

/**
 * @param {State} _state
 * @param {View} view
 * @returns {[number, number]}
 */
export function viewBox(_state, view) {
  const { width, height } = layout(view);
  return [width, height];
}

// Layout

/**
 * The centre of a seat's tray, on a curve between ellipse and rectangle, so that the corners are used.
 *
 * @param {number} seat
 * @param {View} view
 */
function place(seat, view) {
  const { width, height, trayWidth, trayHeight, margin } = layout(view);
  const angle = (2 * Math.PI * (seat - view.bottom)) / view.names.length;
  /** @param {number} part @param {number} power */
  const bulge = (part, power) => Math.sign(part) * Math.abs(part) ** power;
  return [
    round(width / 2 - bulge(Math.sin(angle), 0.35) * (width / 2 - trayWidth / 2 - margin)),
    round(height / 2 + bulge(Math.cos(angle), view.narrow ? 0.5 : 0.75) * (height / 2 - trayHeight / 2 - margin)),
  ];
}

/** @param {State} state */
const diceInAll = (state) => state.options.dice * state.dice.length;

/** @param {View} view */
function middle(view) {
  const { width, height } = layout(view);
  return [width / 2, height / 2 - (view.narrow ? 10 : 26)];
}

/**
 * The largest size at which `count` dice fit into a width and a height.
 *
 * @param {number} count
 * @param {number} width
 * @param {number} height
 * @param {number} most
 */
function grid(count, width, height, most) {
  for (let size = most; ; size -= 0.5) {
    const pitch = size * 1.22;
    const columns = Math.floor((width + pitch - size) / pitch);
    const rows = Math.floor((height + pitch - size) / pitch);
    if (columns * rows >= count) {
      return { size, pitch, columns: Math.ceil(count / Math.ceil(count / columns)) };
    }
  }
}

/**
 * Position, size and rotation of each of `count` dice in a seat's tray.
 *
 * @param {number} seat
 * @param {number} count
 * @param {View} view
 */
function spots(seat, count, view) {
  const { trayWidth, trayHeight, dice, head, foot } = layout(view);
  const [x, y] = place(seat, view);
  const { size, pitch, columns } = grid(count, trayWidth - 16, trayHeight - head - foot, dice);
  const rows = Math.ceil(count / columns);
  return Array.from({ length: count }, (_, nth) => {
    const row = Math.floor(nth / columns);
    const inRow = Math.min(columns, count - row * columns);
    return {
      x: round(x + ((nth % columns) - (inRow - 1) / 2) * pitch),
      y: round(y + (head - foot) / 2 + (row - (rows - 1) / 2) * pitch),
      size,
      turn: (scatter(seat, nth) - 0.5) * 22,
    };
  });
}

/**
 * Position, size and rotation of the nth ace in the centre, arranged like sunflower seeds.
 *
 * @param {number} nth
 * @param {State} state
 * @param {View} view
 */
function centreSpot(nth, state, view) {
  const [x, y] = middle(view);
  const step = layout(view).pot / (Math.sqrt(diceInAll(state)) + 0.9);
  const reach = step * Math.sqrt(nth + 0.4);
  return {
    x: round(x + reach * Math.cos(nth * GOLDEN_ANGLE)),
    y: round(y + reach * Math.sin(nth * GOLDEN_ANGLE)),
    size: round(step * 1.45),
    turn: scatter(nth) * 90,
  };
}

// Drawing

/** @param {State} state @param {View} view */
export function draw(state, view) {
  return [
    shape("defs", { key: "aces-defs" }, [
      gradient("radialGradient", "aces-felt", [[0, "var(--felt)"], [1, "var(--felt-deep)"]]),
      gradient("linearGradient", "aces-wood", [[0, "var(--wood-light)"], [1, "var(--wood-dark)"]], { x2: 0, y2: 1 }),
    ]),
    seatPatterns(view.names.length, 7),
    table(view),
    ...(isOver(state, view) ? [] : [pointer(state, view)]),
    centre(state, view),
    ...view.names.map((_, seat) => tray(seat, state, view)),
  ];
}

/** @param {View} view */
function table(view) {
  const { width, height, rim, corner: round } = layout(view);
  const corner = Math.min(width, height) * round;
  /** @param {number} inset @param {import("../shapes/svg.js").Attrs} attrs */
  const board = (inset, attrs) =>
    rect(inset, inset, width - 2 * inset, height - 2 * inset, { rx: corner - inset, ...attrs });
  return group({ key: "table" }, [
    board(1, { fill: "url(#aces-wood)", stroke: "var(--wood-edge)", "stroke-width": 2 }),
    board(rim, { fill: "url(#aces-felt)", stroke: "var(--wood-edge)", "stroke-width": 2 }),
  ]);
}

/** A light from the centre onto the seat on turn. @param {State} state @param {View} view */
function pointer(state, view) {
  const { trayWidth, trayHeight } = layout(view);
  const [x, y] = place(state.turn, view);
  const [cx, cy] = middle(view);
  const length = Math.hypot(x - cx, y - cy);
  const [dx, dy] = [(x - cx) / length, (y - cy) / length];
  const edge = Math.min(trayWidth / 2 / Math.abs(dx), trayHeight / 2 / Math.abs(dy)) + 7;
  const half = trayHeight * 0.45;
  const cone = [[cx, cy], [x - dy * half, y + dx * half], [x + dy * half, y - dx * half]];
  return group({ key: "pointer" }, [
    path(`M${cone.map((point) => point.map(round).join(" ")).join("L")}Z`, { fill: "var(--mark)", "fill-opacity": 0.2 }),
    path("M6 0L-6-7V7Z", {
      transform: at(x - dx * edge, y - dy * edge, { turn: (Math.atan2(dy, dx) * 180) / Math.PI }),
      fill: "var(--mark)",
      stroke: "var(--mark-edge)",
      "stroke-linejoin": "round",
    }),
  ]);
}

/** @param {State} state @param {View} view */
function centre(state, view) {
  const { pot, type } = layout(view);
  const [x, y] = middle(view);
  /** @type {Boards.Cell} */
  const cell = { name: "centre", label: centreWords(state), box: [x - pot, y - pot, 2 * pot, 2 * pot], round: true };
  const aces = Array.from({ length: state.centre }, (_, nth) => {
    const { x: dx, y: dy, size, turn } = centreSpot(nth, state, view);
    return die(ACE, dx, dy, size, { turn, key: nth });
  });
  return group({ key: "centre", cell }, [
    circle(x, y, pot, { fill: "var(--felt-deep)", stroke: "var(--wood-light)", "stroke-width": 3 }),
    circle(x, y, pot + 3, { fill: "none", stroke: "var(--wood-edge)" }),
    turnOrder(x, y, pot + 11),
    group({ key: "aces" }, aces),
    text(x, y + pot + 23, centreWords(state), { size: type, fill: "var(--on-felt)" }),
    // A phone has no space to repeat it.
    !view.narrow && text(x, y + pot + 23 + type * 1.25, headline(state, view, Math.floor(HEADLINE / (type * LETTER))), {
      size: type,
      fill: "var(--mark)",
      "font-weight": 700,
    }),
    lastThrow(x, y + pot + 23 + type * (view.narrow ? 1.5 : 2.55), view),
  ]);
}

/**
 * The last throw and its player, for users who missed the animation.
 *
 * @param {number} x
 * @param {number} y
 * @param {View} view
 */
function lastThrow(x, y, view) {
  const thrown = view.last?.events.find(({ kind }) => kind === "thrown");
  if (!thrown) {
    return null;
  }
  const { seat, faces } = thrown;
  const { size, pitch } = grid(faces.length + 1, view.narrow ? 128 : 300, 18, view.narrow ? 15 : 18);
  /** @param {number} nth */
  const column = (nth) => round(x + (nth - faces.length / 2) * pitch);
  return group({ key: "last-throw" }, [
    seatMark(seat, column(0) - 2, y, size * 0.4, { key: "mark" }),
    ...faces.map((face, nth) => die(face, column(nth + 1), y, size, { strong: isHandedOn(face), key: nth })),
  ]);
}

/** Three arrows round the centre in turn order. @param {number} x @param {number} y @param {number} reach */
function turnOrder(x, y, reach) {
  /** @param {number} from */
  const arrow = (from) => {
    const [start, end] = [from, from + 50].map((degrees) => (degrees * Math.PI) / 180);
    /** @param {number} angle */
    const point = (angle) => `${round(reach * Math.cos(angle))} ${round(reach * Math.sin(angle))}`;
    return group({}, [
      path(`M${point(start)}A${reach} ${reach} 0 0 1 ${point(end)}`, { fill: "none" }),
      path("M-4-4L0 1L4-4", {
        fill: "none",
        transform: at(reach * Math.cos(end), reach * Math.sin(end), { turn: from + 50 }),
      }),
    ]);
  };
  const attrs = { stroke: "var(--on-felt)", "stroke-width": 1.6, "stroke-opacity": 0.55, "stroke-linecap": "round" };
  return group({ transform: at(x, y), ...attrs }, [125, 245, 5].map(arrow));
}

/** @param {number} seat @param {State} state @param {View} view */
function tray(seat, state, view) {
  const { trayWidth, trayHeight, type } = layout(view);
  const [x, y] = place(seat, view);
  const [left, top] = [x - trayWidth / 2, y - trayHeight / 2];
  const lit = isLit(seat, state, view);
  /** @type {Boards.Cell} */
  const cell = {
    name: `seat-${seat}`,
    label: trayWords(seat, state, view),
    box: [left, top, trayWidth, trayHeight],
    playable: mayThrow(seat, view),
  };
  return group({ key: `seat-${seat}`, cell, opacity: state.present[seat] ? null : 0.6 }, [
    rect(left, top + 2, trayWidth, trayHeight, { rx: 12, ...SHADE }),
    rect(left, top, trayWidth, trayHeight, {
      rx: 12,
      fill: "var(--felt-deep)",
      stroke: lit ? "var(--mark)" : "var(--wood-light)",
      "stroke-width": lit ? 4 : 1.5,
      "stroke-dasharray": state.present[seat] ? null : "5 4",
    }),
    view.narrow ? colours(seat, left, top, view) : namePlate(seat, left, top, lit, view),
    ...diceOf(seat, state, view),
    text(x, top + trayHeight - 12, countWords(seat, state), { size: type - 0.5, fill: "var(--on-felt)" }),
  ]);
}

/**
 * The mark of a tray whose name is drawn elsewhere.
 *
 * @param {number} seat
 * @param {number} left
 * @param {number} top
 * @param {View} view
 */
function colours(seat, left, top, view) {
  const { trayWidth, trayHeight } = layout(view);
  return group({ key: "name" }, [
    rect(left + 11, top + 4, trayWidth - 22, 6, { rx: 3, fill: "var(--seat-bed)" }),
    rect(left + 12, top + 5, trayWidth - 24, 4, { rx: 2, fill: seatFill(seat) }),
    seatMark(seat, left + 16, top + trayHeight - 13, 7.5, { key: "mark" }),
  ]);
}

/** @param {number} seat @param {number} left @param {number} top @param {boolean} lit @param {View} view */
function namePlate(seat, left, top, lit, view) {
  const { trayWidth, type } = layout(view);
  const middleLine = top + 4 + NAME_HEIGHT / 2;
  const { words, size } = fitted(nameOf(seat, view), trayWidth - 40, type, lit);
  return group({ key: "name" }, [
    rect(left + 4, top + 4, trayWidth - 8, NAME_HEIGHT, { rx: 8, fill: lit ? "var(--mark)" : "var(--card)" }),
    rect(left + 9, top + NAME_HEIGHT + 4, trayWidth - 18, 6, { rx: 3, fill: "var(--seat-bed)" }),
    rect(left + 10, top + NAME_HEIGHT + 5, trayWidth - 20, 4, { rx: 2, fill: seatFill(seat) }),
    seatMark(seat, left + 15, middleLine, 7.5, { key: "mark" }),
    text(left + 26, middleLine, words, {
      size,
      "text-anchor": "start",
      "font-weight": lit ? 700 : 500,
      fill: lit ? "var(--mark-edge)" : "var(--ink)",
    }),
  ]);
}

/** @param {number} seat @param {State} state @param {View} view */
function diceOf(seat, state, view) {
  const picture = seat === state.turn ? (state.tumbling ?? 0) : 0;
  return spots(seat, state.dice[seat].length, view).map(({ x, y, size, turn }, nth) => {
    const face = state.dice[seat][nth];
    if (face === null) {
      return null;
    }
    /** @param {number} way */
    const sway = (way) => (picture ? (scatter(seat, nth, picture, way) - 0.5) * size * 0.5 : 0);
    return die(face, x + sway(1), y + sway(2), size, {
      turn: picture ? scatter(seat, nth, picture) * 360 : turn,
      strong: state.landing === seat && isHandedOn(face),
      key: `die-${nth}`,
    });
  });
}

/** @param {Die} face */
const isHandedOn = (face) => face === ACE || face === TWO || face === FIVE;

/** Whether the game is over, by the rules or by agreement. @param {State} state @param {Boards.Sight} view */
const isOver = (state, view) => Boolean(state.ended ?? view.outcome);

/** @param {number} seat @param {State} state @param {View} view */
const isLit = (seat, state, view) =>
  isOver(state, view) ? Boolean((state.ended ?? view.outcome)?.winners.includes(seat)) : state.turn === seat;

/** @param {number} seat @param {View} view */
const mayThrow = (seat, view) => seat === view.seat && view.legal.includes("roll");

/** @param {string} name @param {number} letters */
const shortened = (name, letters) => (name.length > letters ? `${name.slice(0, letters - 1)}…` : name);

// Keyboard grid and presses

/**
 * One row of seats with the nearest in the middle and the next player on the left of each; above it the centre.
 *
 * @param {State} _state
 * @param {View} view
 */
export function cells(_state, view) {
  const seats = view.names.length;
  const row = view.names.map((_, column) => `seat-${(view.bottom + (seats >> 1) - column + seats) % seats}`);
  return [row.map(() => "centre"), row];
}

/**
 * @param {string} cell
 * @param {string|null} _selection
 * @param {string[]} _legal
 * @param {State} _state
 * @param {View} view
 */
export function pick(cell, _selection, _legal, _state, view) {
  return cell === `seat-${view.seat}`
    ? { move: "roll" }
    : { refusal: gettext("Press your own dice to roll them.") };
}

/** @param {State} state @param {View} view */
export function controls(state, view) {
  const held = state.dice[state.turn].length;
  /** @type {Record<string, Boards.Control>} */
  const buttons = {
    roll: {
      move: "roll",
      label: counted(ngettext("Roll %(count)s die", "Roll %(count)s dice", held), held),
      hotkey: "r",
      primary: true,
    },
    stop: {
      move: "stop",
      label: gettext("Stop"),
      hotkey: "s",
      hint: gettext("Keep your dice and end your turn."),
    },
  };
  return view.legal.map((move) => buttons[move]);
}

// Motion

/** @param {Event} event @param {State} state @param {View} view */
export function motion(event, state, view) {
  switch (event.kind) {
    case "thrown":
      return throwing(event, state);
    case "centred":
      return flying(state, view, event.seat, ACE, (nth) => centreSpot(state.centre + nth, state, view), {
        centre: state.centre + event.count,
      });
    case "passed":
      return handing(event, state, view);
    case "left":
      return [{ state: { ...state, present: state.present.map((here, at) => here && at !== event.seat) }, ms: TURN_MS }];
    case "handedover":
      return inheriting(event, state, view);
    case "turnended":
      return [{ state: { ...state, landing: null, turn: event.next }, ms: TURN_MS }];
    default:
      return [];
  }
}

/** The sound of each event. */
export const sounds = Object.freeze({ thrown: "dice", centred: "bank", passed: "slide", handedover: "slide", turnended: "pass" });

/**
 * Frames of rolling dice, then the result, long enough to be read.
 *
 * @param {Event} event
 * @param {State} state
 */
function throwing({ seat, faces }, state) {
  /** @param {Die[]} fallen */
  const holding = (fallen) => ({ ...state, turn: seat, dice: state.dice.map((dice, at) => (at === seat ? fallen : dice)) });
  const rolling = ROLLING_MS.map((ms, picture) => {
    const shown = faces.map((_, nth) => 1 + Math.floor(SIDES * scatter(seat, nth, picture, ...faces)));
    return { state: { ...holding(shown), tumbling: picture + 1 }, ms };
  });
  const fallen = { ...holding([...faces]), landing: seat };
  return [...rolling, { state: fallen, ms: LAST_ROLL_MS }, { state: fallen, ms: LOOK_MS }];
}

/** @param {Event} event @param {State} state @param {View} view */
function handing({ seat, to, count, side }, state, view) {
  const face = side === "left" ? TWO : FIVE;
  const before = state.dice[to].length;
  const places = spots(to, before + count, view).slice(before);
  return flying(state, view, seat, face, (nth) => places[nth], {
    dice: { [to]: [...state.dice[to], ...Array(count).fill(face)] },
  });
}

/** @param {Event} event @param {State} state @param {View} view */
function inheriting({ seat, to }, state, view) {
  const held = state.dice[seat];
  const before = state.dice[to].length;
  const places = spots(to, before + held.length, view).slice(before);
  const fly = spots(seat, held.length, view).map((from, nth) => flight(held[nth] ?? 0, from, places[nth]));
  const without = { ...state, dice: state.dice.map((dice, at) => (at === seat ? [] : dice)) };
  const landed = { ...without, dice: without.dice.map((dice, at) => (at === to ? [...dice, ...held] : dice)) };
  return [{ state: without, ms: 0 }, { state: landed, ms: FLIGHT_MS, fly }];
}

/**
 * Moves the dice of one face from a seat's tray to the positions that `target` returns.
 *
 * @param {State} state
 * @param {View} view
 * @param {number} seat
 * @param {number} face
 * @param {(nth: number) => Spot} target
 * @param {{dice?: Record<number, Die[]>, centre?: number}} arrived the state after the landing
 */
function flying(state, view, seat, face, target, { dice: received = {}, ...arrived }) {
  const from = spots(seat, state.dice[seat].length, view).filter((_, nth) => state.dice[seat][nth] === face);
  const kept = state.dice[seat].map((each) => (each === face ? null : each));
  const without = { ...state, dice: state.dice.map((dice, at) => (at === seat ? kept : dice)) };
  const landed = without.dice.map((dice, at) => received[at] ?? dice);
  const fly = from.map((spot, nth) => flight(face, spot, target(nth)));
  return [{ state: without, ms: 0 }, { state: { ...without, ...arrived, dice: landed }, ms: FLIGHT_MS, fly }];
}

/** @param {number} face @param {Spot} from @param {Spot} to */
function flight(face, from, to) {
  return { shape: die(face, 0, 0, from.size, { strong: isHandedOn(face) }), from: [from.x, from.y], to: [to.x, to.y], arc: 30 };
}

// Words

/** @param {string} sentence @param {number} count */
const counted = (sentence, count) => say(sentence, { count });

/** The name of a seat; "You" for my own. @param {number} seat @param {View} view */
const nameOf = (seat, view) => (seat === view.seat ? gettext("You") : view.names[seat]);

/** @param {number} seat @param {State} state */
function countWords(seat, state) {
  const held = state.dice[seat].filter((face) => face !== null).length;
  if (!held) {
    return state.present[seat] ? gettext("no dice") : gettext("has left");
  }
  return counted(ngettext("%(count)s die", "%(count)s dice", held), held);
}

/** @param {State} state */
function centreWords(state) {
  return say(gettext("Centre: %(count)s of %(total)s"), { count: state.centre, total: diceInAll(state) });
}

/** @param {State} state @param {View} view @param {number} letters */
function headline(state, view, letters) {
  if (state.ended) {
    const [first, ...others] = state.ended.winners;
    if (first === view.seat && !others.length) {
      return gettext("You win");
    }
    return others.length
      ? counted(ngettext("%(count)s player wins", "%(count)s players win", others.length + 1), others.length + 1)
      : say(gettext("%(name)s wins"), { name: shortened(view.names[first], letters - 5) });
  }
  if (isOver(state, view)) {
    return "";
  }
  return state.turn === view.seat
    ? gettext("Your roll")
    : say(gettext("%(name)s to roll"), { name: shortened(view.names[state.turn], letters - 9) });
}

/** The dice of a seat in words. @param {number} seat @param {State} state @param {View} view */
function seatWords(seat, state, view) {
  const thrown = state.dice[seat].filter(Boolean);
  const showing = thrown.length ? [say(gettext("showing %(faces)s"), { faces: thrown.join(" ") })] : [];
  return [nameOf(seat, view), countWords(seat, state), ...showing];
}

/**
 * The same with the turn, for screen readers on the grid.
 *
 * @param {number} seat
 * @param {State} state
 * @param {View} view
 */
function trayWords(seat, state, view) {
  const onTurn = !isOver(state, view) && state.turn === seat;
  const turn = mayThrow(seat, view) ? gettext("your turn, press to roll") : gettext("to move");
  return [...seatWords(seat, state, view), ...(onTurn ? [turn] : [])].join(", ");
}

/** @param {Event} event @param {View} view */
export function narrate(event, view) {
  const { seat, count } = event;
  const words = { name: view.names[seat], count };
  const mine = seat === view.seat;
  switch (event.kind) {
    case "thrown":
      return say(mine ? gettext("You rolled %(faces)s.") : gettext("%(name)s rolled %(faces)s."), { ...words, faces: event.faces.join(" ") });
    case "centred":
      return say(
        ngettext(
          "%(count)s ace went to the centre; dice in play: %(rest)s.",
          "%(count)s aces went to the centre; dice in play: %(rest)s.",
          count,
        ),
        { count, rest: event.in_play },
      );
    case "passed":
      return say(passedWords(event, view), { count, name: view.names[event.to] });
    case "handedover":
      return say(handedWords(event, view), { ...words, to: view.names[event.to] });
    case "turnended":
      return [say(endWords(event.why, mine), words), nextWords(event, view)].filter(Boolean).join(" ");
    default:
      return "";
  }
}

/** Twos are passed left and fives right. @param {Event} event @param {View} view */
function passedWords({ side, count, to }, view) {
  if (to === view.seat) {
    return side === "left"
      ? ngettext("%(count)s two went left to you.", "%(count)s twos went left to you.", count)
      : ngettext("%(count)s five went right to you.", "%(count)s fives went right to you.", count);
  }
  return side === "left"
    ? ngettext("%(count)s two went left to %(name)s.", "%(count)s twos went left to %(name)s.", count)
    : ngettext("%(count)s five went right to %(name)s.", "%(count)s fives went right to %(name)s.", count);
}

/** @param {Event} event @param {View} view */
function handedWords({ seat, to, count }, view) {
  if (to === view.seat) {
    return ngettext("%(count)s die of %(name)s went to you.", "%(count)s dice of %(name)s went to you.", count);
  }
  return seat === view.seat
    ? ngettext("%(count)s die of yours went to %(to)s.", "%(count)s dice of yours went to %(to)s.", count)
    : ngettext("%(count)s die of %(name)s went to %(to)s.", "%(count)s dice of %(name)s went to %(to)s.", count);
}

/** Why a turn ended, "" if that has been said. @param {string} why @param {boolean} mine */
function endWords(why, mine) {
  switch (why) {
    case "nothing-moved":
      return gettext("Nothing moved.");
    case "no-dice":
      return mine ? gettext("You have no dice left.") : gettext("%(name)s has no dice left.");
    case "stopped":
      return mine ? gettext("You stopped.") : gettext("%(name)s stopped.");
    default:
      return "";
  }
}

/**
 * Who is next; my own turn is announced by the page, unless it follows my own.
 *
 * @param {Event} event
 * @param {View} view
 */
function nextWords({ seat, next }, view) {
  if (next === view.seat) {
    return next === seat ? gettext("You are next.") : "";
  }
  return say(gettext("%(name)s is next."), { name: view.names[next] });
}

/**
 * The choices of the player on turn.
 *
 * @param {State} state
 * @param {Boards.Sight} view
 */
export function prompt(state, { legal }) {
  const held = state.dice[state.turn].length;
  if (!legal.length) {
    return "";
  }
  return counted(legal.includes("stop")
    ? ngettext("Roll %(count)s die, or stop.", "Roll %(count)s dice, or stop.", held)
    : ngettext("Roll %(count)s die.", "Roll %(count)s dice.", held), held);
}

/** The position in words; the page says whose turn it is. @param {State} state @param {View} view */
export function summary(state, view) {
  const seats = view.names.map((_, seat) => seatWords(seat, state, view).join(", "));
  return `${[...seats, centreWords(state)].join("; ")}.`;
}

/** @param {State} state @param {number} seat */
export function tally(state, seat) {
  return countWords(seat, state);
}

/** @param {Boards.Outcome} outcome @param {View} view @param {State} state */
export function result(outcome, view, state) {
  if (outcome.reason !== "last-ace") {
    return "";
  }
  const won = outcome.winners.includes(state.turn);
  if (state.turn === view.seat) {
    return won
      ? gettext("You sent the last die to the centre and won.")
      : gettext("You sent the last die to the centre and lost.");
  }
  const sentence = won
    ? gettext("%(name)s sent the last die to the centre and won.")
    : gettext("%(name)s sent the last die to the centre and lost.");
  return say(sentence, { name: view.names[state.turn] });
}

/** Throws are listed by their faces. @param {Boards.Ply} ply */
export function notation(ply) {
  if (ply.dice) {
    return `[${ply.dice.join(" ")}]`;
  }
  return ply.action === "stop" ? gettext("stop") : "";
}

/**
 * The throw with the most aces.
 *
 * @param {Boards.Ply[]} plies
 * @param {Boards.Sight} view
 */
export function fact(plies, view) {
  const throws = /** @type {Event[]} */ (plies.flatMap(({ events }) => events)).filter(({ kind }) => kind === "centred");
  const [best] = throws.sort((a, b) => b.count - a.count);
  if (!best || best.count < 2) {
    return "";
  }
  return say(best.seat === view.seat
    ? gettext("Your best roll: %(count)s aces at once.")
    : gettext("Best roll: %(count)s aces at once, by %(name)s."), { count: best.count, name: view.names[best.seat] });
}
