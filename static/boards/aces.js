/**
 * Aces: a round table, a tray of dice for each seat, the centre in the middle.
 *
 * Seats are clockwise in turn order, so that the next player is always on the left. The state is the one of
 * games/rules/aces.py. While a throw is shown it may also hold `landing`, the seat whose dice have just landed, and null
 * for a die in motion. games/pictures/aces.py draws the same shapes.
 *
 * @typedef {number|null} Die
 *
 * @typedef {object} Own the fields of this game's state
 * @property {{dice: number, last_ace: string}} options
 * @property {Die[][]} dice
 * @property {boolean[]} present
 * @property {number} centre
 * @property {number} throws of the turn so far
 * @property {number|null} [landing]
 * @property {boolean} [due]
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
  at, circle, die, gradient, group, path, rect, round, scatter, seatFill, seatMark, seatPatterns, shape, star, text,
} from "../shapes/svg.js";
import { fitted } from "../shapes/names.js";
import { rolled } from "../shapes/roll.js";
import { say } from "../words/sentences.js";
import { PLAN } from "./plans/aces.js";

const [ACE, TWO, FIVE] = [1, 2, 5];
/** What dice show that nobody has thrown: faces that stay where they are. */
const RESTING = [3, 6, 4];
const LOOK_MS = 550;
const FLIGHT_MS = 520;
const TURN_MS = 150;
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));
const NAME_HEIGHT = 28;
/** The length of the way that thrown dice roll, in heights of a tray. */
const ROLL = 1.6;

/** @param {View} view */
function layout(view) {
  const { wide, narrow } = PLAN.layouts.find(({ seats }) => view.names.length <= seats) ?? PLAN.layouts[PLAN.layouts.length - 1];
  const { size: [width, height], tray: [trayWidth, trayHeight], ...rest } = view.narrow ? { ...PLAN.narrow, ...narrow } : { ...PLAN.wide, ...wide };
  return { width, height, trayWidth, trayHeight, ...rest };
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
  const { width, height, trayWidth, trayHeight, margin, bulge: power } = layout(view);
  const angle = (2 * Math.PI * (seat - view.bottom)) / view.names.length;
  /** @param {number} part @param {number} power */
  const bulge = (part, power) => (Math.abs(part) < 1e-9 ? 0 : Math.sign(part) * Math.abs(part) ** power);
  return [
    round(width / 2 - bulge(Math.sin(angle), 0.35) * (width / 2 - trayWidth / 2 - margin)),
    round(height / 2 + bulge(Math.cos(angle), power) * (height / 2 - trayHeight / 2 - margin)),
  ];
}

/** @param {State} state */
const diceInAll = (state) => state.options.dice * state.dice.length;

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
      turn: round((scatter(seat, nth) - 0.5) * 16),
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
  const [x, y, pot] = layout(view).pot;
  const step = pot / (Math.sqrt(diceInAll(state)) + 0.9);
  const reach = step * Math.sqrt(nth + 0.4);
  return {
    x: round(x + reach * Math.cos(nth * GOLDEN_ANGLE)),
    y: round(y + reach * Math.sin(nth * GOLDEN_ANGLE)),
    size: round(step * 1.45),
    turn: round(scatter(nth) * 90),
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
  const { width, height, rim, corner } = layout(view);
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
  const { trayWidth, trayHeight, pot: [cx, cy] } = layout(view);
  const [x, y] = place(state.turn, view);
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
  const { pot: [x, y, pot] } = layout(view);
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
    !view.small && legend(view),
    !view.small && status(state, view),
  ]);
}

/** Where ones, twos and fives go. @param {View} view */
function legend(view) {
  const { legend: [x, y, width], type } = layout(view);
  const size = type * (width ? 1.5 : 1.1);
  const [column, row] = width ? [0, type * 1.95] : [type * 2.6, 0];
  /** @type {[face: number, words: string, way: string][]} */
  const rows = [
    [ACE, gettext("centre"), "M0-5A5 5 0 1 0 0.01-5Z"],
    [TWO, gettext("left"), "M7 0H-7M-2-5L-7 0L-2 5"],
    [FIVE, gettext("right"), "M-7 0H7M2-5L7 0L2 5"],
  ];
  return group({ key: "legend" }, rows.map(([face, words, way], nth) => {
    const [left, line] = [x + size / 2 + nth * column, y + nth * row];
    const name = fitted(words, width - 2.4 * size, type);
    return group({ key: face }, [
      die(face, left, line, size, { strong: true }),
      path(way, {
        transform: at(left + size * 1.25, line, { scale: type / 14 }),
        fill: "none",
        stroke: "var(--on-felt)",
        "stroke-width": 2,
        "stroke-linecap": "round",
        "stroke-linejoin": "round",
      }),
      width > 0 && text(left + size * 1.9, line, name.words, { size: name.size, fill: "var(--on-felt)", "text-anchor": "start" }),
    ]);
  }));
}

/** How many dice are in the centre, and the last throw with its player, for users who missed the animation. @param {State} state @param {View} view */
function status(state, view) {
  const { status: [x, y, width], type } = layout(view);
  const count = fitted(view.narrow ? `${state.centre}/${diceInAll(state)}` : centreWords(state), width, type * 1.1, true);
  return group({ key: "status" }, [
    text(x, y, count.words, { size: count.size, fill: "var(--on-felt)", "font-weight": 700, "text-anchor": "start" }),
    lastThrow(x, y + type * 1.9, width, type * 1.7, view),
  ]);
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} most
 * @param {View} view
 */
function lastThrow(x, y, width, most, view) {
  const thrown = view.last?.events.find(({ kind }) => kind === "thrown");
  if (!thrown) {
    return null;
  }
  const { seat, faces } = thrown;
  const { size, pitch } = grid(faces.length + 1, width, most, most);
  /** @param {number} nth */
  const column = (nth) => round(x + size / 2 + nth * pitch);
  return group({ key: "last-throw" }, [
    seatMark(seat, column(0), y, size * 0.4, { key: "mark" }),
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
  const won = lit && isOver(state, view);
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
    view.narrow ? colours(seat, left, top, won, view) : namePlate(seat, left, top, lit, won, view),
    ...diceOf(seat, state, view),
    !view.small && text(x, top + trayHeight - 14, countWords(seat, state), { size: type - 1, fill: "var(--on-felt)" }),
  ]);
}

/**
 * The mark of a tray whose name is drawn elsewhere.
 *
 * @param {number} seat
 * @param {number} left
 * @param {number} top
 * @param {boolean} won
 * @param {View} view
 */
function colours(seat, left, top, won, view) {
  const { trayWidth, trayHeight } = layout(view);
  return group({ key: "name" }, [
    rect(left + 11, top + 4, trayWidth - 22, 6, { rx: 3, fill: "var(--seat-bed)" }),
    rect(left + 12, top + 5, trayWidth - 24, 4, { rx: 2, fill: seatFill(seat) }),
    owner(seat, left + 20, top + trayHeight - 18, won),
  ]);
}

/** @param {number} seat @param {number} left @param {number} top @param {boolean} lit @param {boolean} won @param {View} view */
function namePlate(seat, left, top, lit, won, view) {
  const { trayWidth, type } = layout(view);
  const middleLine = top + 4 + NAME_HEIGHT / 2;
  const { words, size } = fitted(nameOf(seat, view), trayWidth - 44, type, lit);
  return group({ key: "name" }, [
    rect(left + 4, top + 4, trayWidth - 8, NAME_HEIGHT, { rx: 8, fill: lit ? "var(--mark)" : "var(--card)" }),
    rect(left + 9, top + NAME_HEIGHT + 4, trayWidth - 18, 6, { rx: 3, fill: "var(--seat-bed)" }),
    rect(left + 10, top + NAME_HEIGHT + 5, trayWidth - 20, 4, { rx: 2, fill: seatFill(seat) }),
    owner(seat, left + 18, middleLine, won),
    !view.small && text(left + 32, middleLine, words, {
      size,
      "text-anchor": "start",
      "font-weight": lit ? 700 : 500,
      fill: lit ? "var(--mark-edge)" : "var(--ink)",
    }),
  ]);
}

/** The mark of a seat, or the star of a winner. @param {number} seat @param {number} x @param {number} y @param {boolean} won */
const owner = (seat, x, y, won) => (won ? star(x, y, 10) : seatMark(seat, x, y, 8.5, { key: "mark" }));

/**
 * The dice of a seat; those about to be thrown are in a hand that shakes them, and show no face.
 *
 * @param {number} seat
 * @param {State} state
 * @param {View} view
 */
function diceOf(seat, state, view) {
  const shaken = Boolean(state.due) && seat === state.turn;
  return spots(seat, state.dice[seat].length, view).map(({ x, y, size, turn }, nth) => {
    const face = state.dice[seat][nth];
    if (face === null) {
      return null;
    }
    return die(shaken ? 0 : face || RESTING[nth % RESTING.length], x, y, size, {
      turn: shaken ? 5 * turn : turn,
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
      return throwing(event, state, view);
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
 * The dice roll into the tray, and lie long enough to be read.
 *
 * @param {Event} event
 * @param {State} state
 * @param {View} view
 */
function throwing({ seat, faces }, state, view) {
  /** @param {Die[]} dice */
  const holding = (dice) => ({ ...state, due: false, turn: seat, dice: state.dice.map((held, at) => (at === seat ? dice : held)) });
  const { pot: [cx, cy], trayHeight } = layout(view);
  const [x, y] = place(seat, view);
  const away = (ROLL * trayHeight) / Math.hypot(x - cx, y - cy);
  const fallen = { ...holding([...faces]), landing: seat };
  const dice = spots(seat, faces.length, view).map(({ x: left, y: top, size, turn }, nth) =>
    ({ face: faces[nth], to: /** @type {[number, number]} */ ([left, top]), size, turn }));
  return [
    ...rolled(dice, [x + (cx - x) * away, y + (cy - y) * away], holding(faces.map(() => null)), fallen),
    { state: fallen, ms: LOOK_MS },
  ];
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
  return { shape: die(face, 0, 0, from.size, { strong: isHandedOn(face) }), from: [from.x, from.y], to: [to.x, to.y], arc: 60 };
}

// Words

/** @param {string} sentence @param {number} count */
const counted = (sentence, count) => say(sentence, { count });

/** The name of a seat; "You" for my own. @param {number} seat @param {View} view */
const nameOf = (seat, view) => (seat === view.seat && !view.visitor ? gettext("You") : view.names[seat]);

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
    return ngettext("%(count)s of %(name)s’s dice went to you.", "%(count)s of %(name)s’s dice went to you.", count);
  }
  return seat === view.seat
    ? ngettext("%(count)s of your dice went to %(to)s.", "%(count)s of your dice went to %(to)s.", count)
    : ngettext("%(count)s of %(name)s’s dice went to %(to)s.", "%(count)s of %(name)s’s dice went to %(to)s.", count);
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

/**
 * Advice for a newcomer, where the rules leave no choice: what a roll does.
 *
 * @param {State} state
 * @param {Boards.Sight} view
 * @returns {Boards.Advice|null}
 */
export function coach(state, { legal }) {
  if (legal.length !== 1) {
    return null;
  }
  const words = rollInWords(state);
  return { move: "roll", words, told: words };
}

/** @param {State} state */
function rollInWords(state) {
  if (state.dice.flat().length === 1) {
    return state.options.last_ace === "wins"
      ? gettext("This is the last die: a 1 sends it to the centre, and you win.")
      : gettext("This is the last die: a 1 sends it to the centre, and you lose.");
  }
  return state.throws > 0
    ? gettext("Dice moved, so you roll again.")
    : gettext("Roll: a 1 goes to the centre, a 2 to your left, a 5 to your right.");
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

/** The headline above says who won. @param {Boards.Outcome} outcome @param {View} view @param {State} state */
export function result(outcome, view, state) {
  if (outcome.reason !== "last-ace") {
    return "";
  }
  return state.turn === view.seat
    ? gettext("You sent the last die to the centre.")
    : say(gettext("%(name)s sent the last die to the centre."), { name: view.names[state.turn] });
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
