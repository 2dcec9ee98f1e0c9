/**
 * The board of Can't Stop: a mountain of eleven columns with a stop sign on every summit, the dice in the valley on its
 * left and the players on its right.
 *
 * Rows of a state are indexed by the column itself; space 0 is off the board. During an animation a state may also have
 * `shaken`, rolling dice, and `bust`.
 *
 * @typedef {object} Own the fields of this game's state
 * @property {number[][]} cones
 * @property {number[]} runners
 * @property {(number|null)[]} owners
 * @property {boolean[]} present
 * @property {{topped: string}} options
 * @property {number[]} dice
 * @property {{faces: number[], tick: number}} [shaken]
 * @property {boolean} [bust]
 *
 * @typedef {Boards.State & Own} State
 * @typedef {Boards.View<Event>} View
 *
 * @typedef {object} Event the fields of all kinds; the kind determines which are set
 * @property {string} kind
 * @property {number} seat
 * @property {number[]} faces
 * @property {number} column
 * @property {number} start
 * @property {number} space
 * @property {number[]} columns
 *
 * @typedef {[column: number, start: number, space: number]} Climb
 * @typedef {{seat: number|null, space: number}} Piece a cone, or the runner of the seat on turn
 */

import {
  at,
  circle,
  die,
  group,
  line,
  path,
  rect,
  scatter,
  seatFill,
  seatMark,
  seatPatterns,
  text,
} from "../shapes/svg.js";
import { fitted } from "../shapes/names.js";
import { listed, say } from "../words/sentences.js";

/* global gettext, ngettext */

const COLUMNS = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
const LENGTHS = [0, 0, 3, 5, 7, 9, 11, 13, 11, 9, 7, 5, 3];
const TO_WIN = 3;

/* Lengths in units of the board */
const WIDTH = 720;
const LANE = 62;
const TILE = 54;
const SIGN = 24;
const TOP = 66;
const FOOT = 46;
const EDGE = (WIDTH - COLUMNS.length * LANE) / 2;
const DIE = 74;
const VALLEY = EDGE + 1.5 * LANE;

/** The space for players beside the summits: from the stop sign on column 8 to the edge, down to that on column 9. */
const PLAYERS = { left: EDGE + 7 * LANE + 6, right: WIDTH - EDGE + 6, top: 14, bottom: 190, most: 58, apart: 6 };

/** The positions of the four dice around the middle of the valley. */
const BEDS = [[-45, -45], [45, -45], [-45, 45], [45, 45]];

/** The three ways to split four dice into two pairs. */
const SPLITS = [[[0, 1], [2, 3]], [[0, 2], [1, 3]], [[0, 3], [1, 2]]];

/** Offsets of pieces that share a space, in tiles from its middle. */
/** @type {Record<number, [number, number][]>} */
const PLACES = {
  1: [[0, 0]],
  2: [[-0.24, 0], [0.24, 0]],
  3: [[-0.24, -0.24], [0.24, -0.24], [-0.24, 0.24]],
  4: [[-0.24, -0.24], [0.24, -0.24], [-0.24, 0.24], [0.24, 0.24]],
};

/* Layout */

/** Spaces are taller on a narrow board. @param {View} view */
const rowHeight = (view) => (view.narrow ? 54 : 44);
/** @param {View} view */
const ground = (view) => TOP + Math.max(...LENGTHS) * rowHeight(view);
/** @param {number} column */
const middle = (column) => EDGE + (column - COLUMNS[0] + 0.5) * LANE;
/** @param {number} column @param {View} view */
const summit = (column, view) => ground(view) - LENGTHS[column] * rowHeight(view);

/**
 * The middle of a space; space 0 is the number below the column.
 *
 * @param {number} column
 * @param {number} space
 * @param {View} view
 * @returns {[number, number]}
 */
const centre = (column, space, view) => [
  middle(column),
  space ? ground(view) - (space - 0.5) * rowHeight(view) : ground(view) + FOOT / 2,
];

/** @param {State} state @param {View} view @returns {Boards.Size} */
export const viewBox = (state, view) => [WIDTH, ground(view) + FOOT + 10];

/* Consequences of moves */

/** @param {string} move */
const columnsOf = (move) => (/^\d/.test(move) ? move.split("+").map(Number) : []);

/**
 * The space of the seat on turn in a column: its runner, or else its cone.
 *
 * @param {State} state
 * @param {number} column
 */
const standing = (state, column) => state.runners[column] || state.cones[state.turn][column];

/** @param {State} state */
const running = (state) => COLUMNS.filter((column) => state.runners[column]);

/**
 * [column, start, space] of every runner that a move advances.
 *
 * @param {string} move
 * @param {State} state
 * @returns {Climb[]}
 */
function climbs(move, state) {
  const columns = columnsOf(move);
  return [...new Set(columns)].map((column) => {
    const start = standing(state, column);
    return [column, start, start + columns.filter((each) => each === column).length];
  });
}

/** The position with the runners turned into cones. @param {State} state */
function settled(state) {
  const own = state.cones[state.turn].map((space, column) => state.runners[column] || space);
  return {
    ...state,
    cones: state.cones.with(state.turn, own),
    runners: state.runners.map(() => 0),
  };
}

/** The pieces after a move. @param {string} move @param {State} state */
function foreseen(move, state) {
  return move === "stop"
    ? settled(state)
    : climbs(move, state).reduce((now, [column, , space]) => withRunner(now, column, space), state);
}

/** @param {State} state @param {number} column @param {number} space */
const withRunner = (state, column, space) => ({ ...state, runners: state.runners.with(column, space) });

/**
 * The legal move with a column: a throw pairs every sum with only one other.
 *
 * @param {number|string} column
 * @param {string[]} legal
 */
const moveIn = (column, legal) => legal.find((move) => columnsOf(move).includes(Number(column)));

/** The move whose consequences are shown. @param {View} view */
const shownMove = ({ preview, selection, legal }) =>
  preview !== null && legal.includes(preview) ? preview : selection && moveIn(selection, legal);

/**
 * The distinct splits of four dice into two pairs, as sums, the smaller first.
 *
 * @param {number[]} dice
 */
function pairings(dice) {
  if (!dice.length) {
    return [];
  }
  /** @param {number[]} pair */
  const sum = ([one, other]) => dice[one] + dice[other];
  const found = SPLITS.map((pairs) => pairs.map(sum).sort((a, b) => a - b));
  return found.filter((pairing, nth) => nth === found.findIndex(([low]) => low === pairing[0]));
}

/** Whether neither half of a pairing can be played. @param {number[]} pairing @param {string[]} legal */
const isClosed = (pairing, legal) => pairing.every((column) => moveIn(column, legal) === undefined);

/**
 * The columns because of which a pairing, or half of it, cannot be played. If a topped column blocks the whole pairing,
 * the other column is not listed.
 *
 * @param {number[]} pairing
 * @param {string[]} legal
 * @param {State} state
 */
function blamed(pairing, legal, state) {
  const closed = [...new Set(pairing)].filter((column) => moveIn(column, legal) === undefined);
  const topped = closed.filter((column) => isTop(column, standing(state, column)));
  return state.options.topped === "strict" && topped.length ? topped : closed;
}

/* Drawing */

/** @param {State} state @param {View} view */
export function draw(state, view) {
  const [width, height] = viewBox(state, view);
  const move = shownMove(view);
  const shown = move ? foreseen(move, state) : state;
  return [
    seatPatterns(state.cones.length, 14),
    rect(0, 0, width, height, { key: "felt", rx: 22, fill: "var(--felt)" }),
    ...COLUMNS.map((column) => drawColumn(column, state, view)),
    group({ key: "trails" }, running(state).flatMap((column) => drawTrail(column, state, view))),
    group({ key: "hints" }, view.legal.flatMap((each) => drawHints(each, each === move, state, view))),
    group({ key: "ways" }, move ? climbs(move, state).map((climb) => drawWay(climb, view)) : []),
    group({ key: "pieces" }, COLUMNS.flatMap((column) => drawPieces(column, shown, view))),
    drawValley(state, view, move),
    // On a phone they are above and below the board.
    group({ key: "seats" }, view.narrow ? [] : state.cones.map((_, seat) => drawSeat(seat, state, view))),
  ];
}

/** @param {number} column @param {State} state @param {View} view */
function drawColumn(column, state, view) {
  const owner = state.owners[column];
  const [x, top] = [middle(column), summit(column, view)];
  /** @type {Boards.Cell} */
  const cell = {
    name: String(column),
    label: columnInWords(column, state, view),
    box: [x - LANE / 2, top - 2 * SIGN - 6, LANE, ground(view) + FOOT - top + 2 * SIGN + 6],
    playable: moveIn(column, view.legal) !== undefined,
  };
  return group({ key: `column-${column}`, cell }, [
    rect(x - LANE / 2 - 0.5, top - 4, LANE + 1, ground(view) - top + 8, { fill: "var(--felt-deep)" }),
    owner === null ? drawSpaces(column, view) : drawClaim(column, owner, view),
    text(...centre(column, 0, view), column, {
      size: 28,
      fill: "var(--on-felt)",
      "font-weight": 700,
      "fill-opacity": owner === null ? 1 : 0.6,
    }),
  ]);
}

/** @param {number} column @param {View} view */
function drawSpaces(column, view) {
  const row = rowHeight(view);
  const tiles = Array.from({ length: LENGTHS[column] }, (_, below) => {
    const [x, y] = centre(column, below + 1, view);
    return rect(x - TILE / 2, y - row / 2 + 2, TILE, row - 4, {
      rx: 9,
      fill: "var(--card)",
      stroke: "var(--tile-edge)",
    });
  });
  return group({ key: "open" }, [...tiles, drawSign(column, view)]);
}

/** @param {number} column @param {View} view */
function drawSign(column, view) {
  const [x, y] = [middle(column), summit(column, view) - SIGN - 4];
  return group({ transform: at(x, y) }, [
    path(octagon(SIGN), { fill: "var(--danger)", stroke: "var(--on-danger)", "stroke-width": 2.5 }),
    text(0, 1, column, { size: 26, fill: "var(--on-danger)", "font-weight": 700 }),
  ]);
}

/** An octagon around 0, 0 with flat sides at distance `r`. @param {number} r */
function octagon(r) {
  const cut = r * (Math.SQRT2 - 1);
  return `M${-cut} ${-r}H${cut}L${r} ${-cut}V${cut}L${cut} ${r}H${-cut}L${-r} ${cut}V${-cut}Z`;
}

/**
 * A claimed column: closed from foot to summit in the owner's colour and pattern.
 *
 * @param {number} column
 * @param {number} owner
 * @param {View} view
 */
function drawClaim(column, owner, view) {
  const [x, top] = [middle(column), summit(column, view)];
  return group({ key: "claimed" }, [
    rect(x - TILE / 2, top + 2, TILE, ground(view) - top - 4, {
      rx: 9,
      fill: "var(--seat-bed)",
      stroke: "var(--on-felt)",
      "stroke-width": 3,
    }),
    rect(x - TILE / 2 + 7, top + 9, TILE - 14, ground(view) - top - 18, { rx: 5, fill: seatFill(owner) }),
    group({ transform: at(x, top - SIGN - 4) }, [
      path(octagon(SIGN), { fill: "var(--card)", stroke: "var(--on-felt)", "stroke-width": 2.5 }),
      seatMark(owner, 0, 0, SIGN * 0.66),
    ]),
  ]);
}

/**
 * The spaces that a bust would lose.
 *
 * @param {number} column
 * @param {State} state
 * @param {View} view
 */
function drawTrail(column, state, view) {
  const row = rowHeight(view);
  const [from, to] = [state.cones[state.turn][column], state.runners[column]];
  return Array.from({ length: to - from }, (_, above) => {
    const [x, y] = centre(column, from + above + 1, view);
    return rect(x - TILE / 2 + 3, y - row / 2 + 5, TILE - 6, row - 10, {
      key: `trail-${column}-${from + above + 1}`,
      rx: 7,
      fill: "var(--mark)",
      "fill-opacity": 0.75,
    });
  });
}

/**
 * Rings on the spaces that a legal move reaches; those of the shown move are filled.
 *
 * @param {string} move
 * @param {boolean} isShown
 * @param {State} state
 * @param {View} view
 */
function drawHints(move, isShown, state, view) {
  const row = rowHeight(view);
  return climbs(move, state).map(([column, , space]) => {
    const [x, y] = centre(column, space, view);
    return rect(x - TILE / 2 + 5, y - row / 2 + 7, TILE - 10, row - 14, {
      key: `hint-${column}`,
      rx: 6,
      fill: isShown ? "var(--mark)" : "none",
      stroke: "var(--accent)",
      "stroke-width": isShown ? 4 : 3,
      "stroke-dasharray": isShown ? null : "6 5",
    });
  });
}

/** @param {number} column @param {State} state @param {View} view */
function drawPieces(column, state, view) {
  const seats = state.cones.map((_, seat) => seat);
  const runner = state.runners[column];
  /** @type {Piece[]} */
  const pieces = seats
    .filter((seat) => state.cones[seat][column])
    .map((seat) => ({ seat, space: state.cones[seat][column] }));
  if (runner) {
    pieces.push({ seat: null, space: runner });
  }
  return pieces.map((piece) => {
    const sharing = pieces.filter(({ space }) => space === piece.space);
    return drawPiece(column, piece, sharing.indexOf(piece), sharing.length, state, view);
  });
}

/**
 * @param {number} column
 * @param {Piece} piece
 * @param {number} nth
 * @param {number} sharing
 * @param {State} state
 * @param {View} view
 */
function drawPiece(column, { seat, space }, nth, sharing, state, view) {
  const row = rowHeight(view);
  const [x, y] = centre(column, space, view);
  const [right, down] = PLACES[sharing][nth];
  const r = [0, 0.4, 0.25, 0.21, 0.21][sharing] * row;
  const [left, top] = [x + right * TILE, y + down * row];
  return seat === null
    ? drawRunner(state.turn, left, top, r * 1.12, { key: `runner-${column}` })
    : seatMark(seat, left, top, r, { key: `cone-${seat}-${column}` });
}

/**
 * A runner: it contrasts with light and dark ground, unlike any cone, and has the mark of its seat.
 *
 * @param {number} seat
 * @param {number} x
 * @param {number} y
 * @param {number} r
 * @param {import("../shapes/svg.js").Attrs} [attrs]
 */
function drawRunner(seat, x, y, r, attrs = {}) {
  return group({ transform: at(x, y, { scale: r / 10 }), ...attrs }, [
    path("M0-10A4.6 4.6 0 0 1 3.4-2.3C6 0 7.4 4 7.6 9.4H-7.6C-7.4 4-6 0-3.4-2.3A4.6 4.6 0 0 1 0-10Z", {
      fill: "var(--ink)",
      stroke: "var(--card)",
      "stroke-width": 1.6,
      "stroke-linejoin": "round",
    }),
    r > 12 && seatMark(seat, 0, 4, 3.6),
  ]);
}

/** The path of a runner's climb. @param {Climb} climb @param {View} view */
function drawWay([column, start, space], view) {
  const [x, top] = centre(column, space, view);
  const bottom = start ? centre(column, start, view)[1] : ground(view);
  return line(x, top, x, bottom, {
    key: `way-${column}`,
    stroke: "var(--ink)",
    "stroke-width": 4,
    "stroke-dasharray": "3 6",
    "stroke-linecap": "round",
  });
}

/* The dice */

/** The faces of the last turn's bust, until the next throw. @param {View} view */
function bustFaces(view) {
  const events = view.last?.events ?? [];
  const isBust = events.some(({ kind }) => kind === "busted");
  return isBust ? (events.find(({ kind }) => kind === "thrown")?.faces ?? null) : null;
}

/** @param {State} state @param {View} view @param {string|null|undefined} move */
function drawValley(state, view, move) {
  const y = 118;
  const busted = state.dice.length || state.shaken ? null : bustFaces(view);
  const faces = state.shaken?.faces ?? (busted || state.dice);
  return group({ key: "valley" }, [
    group({ key: "links" }, move && state.dice.length ? drawLinks(move, state.dice, y) : []),
    ...BEDS.map(([right, down], nth) => {
      const face = faces[nth] ?? 0;
      const strong = Boolean(busted || state.bust);
      const turn = state.shaken ? 80 * scatter(nth, state.shaken.tick) - 40 : 12 * scatter(nth, face) - 6;
      return group({ key: `die-${nth}`, opacity: face ? 1 : 0.35 }, [
        die(face, VALLEY + right, y + down, DIE, { turn, strong }),
      ]);
    }),
    (busted || state.bust) && drawBust(y),
  ]);
}

/**
 * Bars between the paired dice of the shown move, the second one dotted.
 *
 * @param {string} move
 * @param {number[]} dice
 * @param {number} y
 */
function drawLinks(move, dice, y) {
  const sum = columnsOf(move)[0];
  const split = SPLITS.find((pairs) => pairs.some((pair) => dice[pair[0]] + dice[pair[1]] === sum)) ?? [];
  return split.map(([one, other], nth) =>
    line(VALLEY + BEDS[one][0], y + BEDS[one][1], VALLEY + BEDS[other][0], y + BEDS[other][1], {
      key: `link-${nth}`,
      stroke: "var(--mark)",
      "stroke-width": 96,
      "stroke-linecap": "round",
      "stroke-opacity": nth ? 0.55 : 1,
    }),
  );
}

/** @param {number} y */
function drawBust(y) {
  return group({ key: "bust" }, [
    rect(VALLEY - 74, y + 96, 148, 48, { rx: 24, fill: "var(--danger)" }),
    text(VALLEY, y + 121, gettext("Bust!"), { size: 32, fill: "var(--on-danger)", "font-weight": 700 }),
  ]);
}

/* The players */

/** @param {number} seat @param {State} state @param {View} view */
function drawSeat(seat, state, view) {
  const { left: x, right, top, bottom, most, apart } = PLAYERS;
  const pitch = Math.min(most, (bottom - top) / state.cones.length);
  const [y, width, height] = [top + seat * pitch, right - x, pitch - apart];
  const [start, size, sign] = [height + 6, Math.min(20, height * 0.42), height * 0.165];
  const isOnTurn = state.turn === seat && !state.ended && !view.outcome;
  const ink = isOnTurn ? "var(--ink)" : "var(--on-felt)";
  const claimed = claimedBy(seat, state).length;
  const name = fitted(view.names[seat] ?? "", width - start - 10, size, isOnTurn);
  return group({ key: `seat-${seat}`, opacity: state.present[seat] ? 1 : 0.45 }, [
    rect(x, y, width, height, {
      rx: 12,
      fill: isOnTurn ? "var(--card)" : "var(--felt-deep)",
      stroke: isOnTurn ? "var(--mark)" : "none",
      "stroke-width": 4,
    }),
    circle(x + height / 2 + 1, y + height / 2, height * 0.4, { fill: "var(--card)" }),
    seatMark(seat, x + height / 2 + 1, y + height / 2, height * 0.29),
    text(x + start, y + height * 0.3, name.words, {
      size: name.size,
      fill: ink,
      "text-anchor": "start",
      "font-weight": isOnTurn ? 700 : 400,
    }),
    ...Array.from({ length: TO_WIN }, (_, nth) =>
      path(octagon(sign), {
        transform: at(x + start + (1 + 2.8 * nth) * sign, y + height * 0.76),
        fill: nth < claimed ? ink : "none",
        stroke: ink,
        "stroke-width": 2,
      }),
    ),
  ]);
}

/** @param {number} seat @param {State} state */
const claimedBy = (seat, state) => COLUMNS.filter((column) => state.owners[column] === seat);

/* Input */

export const cells = () => [COLUMNS.map(String)];

/**
 * The first press on a column shows its pairing, the second one plays it.
 *
 * @param {string} cell
 * @param {string|null} selection
 * @param {string[]} legal
 * @param {State} state
 */
export function pick(cell, selection, legal, state) {
  const move = moveIn(cell, legal);
  if (move) {
    return selection !== null && move === moveIn(selection, legal) ? { move } : { selection: cell };
  }
  const pairing = pairings(state.dice).find((columns) => columns.includes(Number(cell)));
  if (pairing) {
    return { refusal: closedInWords(pairing, legal, state) };
  }
  if (state.owners[Number(cell)] !== null) {
    return { refusal: say(gettext("Column %(column)s has been claimed."), { column: cell }) };
  }
  return {
    refusal: state.dice.length
      ? say(gettext("No pairing of this throw moves in column %(column)s."), { column: cell })
      : gettext("Throw the dice first."),
  };
}

/**
 * Buttons for the legal moves; after a throw, the impossible pairings follow with their reasons.
 *
 * @param {State} state
 * @param {View} view
 */
export function controls(state, view) {
  const closed = view.legal.length ? pairings(state.dice).filter((pairing) => isClosed(pairing, view.legal)) : [];
  return [...open(state, view), ...closed.map((pairing) => ({
    move: pairing.join("+"),
    label: pairing.join(" + "),
    hint: reasonsInWords(blamed(pairing, view.legal, state), state),
    closed: true,
  }))];
}

/** @param {State} state @param {View} view */
function open(state, view) {
  return view.legal.map((move, nth) => {
    if (move === "roll") {
      const label = running(state).length ? gettext("Throw again") : gettext("Throw the dice");
      return { move, label, hotkey: "r", primary: true };
    }
    if (move === "stop") {
      return { move, label: gettext("Stop"), hotkey: "s", hint: stopInWords(state) };
    }
    return {
      move,
      label: columnsOf(move).join(" + "),
      hotkey: String(nth + 1),
      hint: [climbsInWords(move, state), halfClosedInWords(move, view.legal, state)].filter(Boolean).join("; "),
    };
  });
}

/* Animation: the state of a frame is drawn at its end. */

const TUMBLES = 7;
const TUMBLE_MS = 80;
const LOOK_MS = 400;
const CLIMB_MS = 380;
const FALL_MS = 700;
const FLASH_MS = 500;

/** @type {Record<string, (event: Event, state: State, view: View) => Boards.Frame<State>[]>} */
const MOTIONS = { thrown: tumble, climbed: climb, busted: fall, banked: settle, claimed: claim };

/** The sound of each event. */
export const sounds = Object.freeze({ thrown: "dice", climbed: "climb", busted: "bust", banked: "bank", claimed: "claim" });

/** @param {Event} event @param {State} state @param {View} view */
export function motion(event, state, view) {
  return MOTIONS[event.kind]?.(event, state, view) ?? [];
}

/** @param {Event} event @param {State} state @returns {Boards.Frame<State>[]} */
function tumble({ faces }, state) {
  const landed = { ...state, due: false, dice: faces };
  const shaken = Array.from({ length: TUMBLES }, (_, tick) => ({
    state: { ...landed, shaken: { faces: faces.map((face, nth) => ((face + tick + nth) % 6) + 1), tick } },
    ms: TUMBLE_MS,
  }));
  return [...shaken, { state: landed, ms: TUMBLE_MS }, { state: landed, ms: LOOK_MS }];
}

/** @param {Event} event @param {State} state @param {View} view @returns {Boards.Frame<State>[]} */
function climb({ seat, column, start, space }, state, view) {
  const without = withRunner({ ...state, dice: [] }, column, 0);
  const fly = [
    {
      shape: drawRunner(seat, 0, 0, rowHeight(view) * 0.45),
      from: centre(column, start, view),
      to: centre(column, space, view),
    },
  ];
  return [{ state: without, ms: 0 }, { state: withRunner(without, column, space), ms: CLIMB_MS, fly }];
}

/**
 * The throw is marked as a bust, then the runners fall.
 *
 * @param {Event} event
 * @param {State} state
 * @param {View} view
 * @returns {Boards.Frame<State>[]}
 */
function fall({ seat, columns }, state, view) {
  const bust = { ...state, bust: true };
  const fallen = { ...bust, runners: state.runners.map(() => 0) };
  const fly = columns.map((column) => ({
    shape: drawRunner(seat, 0, 0, rowHeight(view) * 0.45),
    from: centre(column, state.runners[column], view),
    to: centre(column, 0, view),
  }));
  return [
    { state: bust, ms: 0 },
    { state: bust, ms: LOOK_MS, flash: columns.map(String) },
    { state: fallen, ms: 0 },
    { state: fallen, ms: FALL_MS, fly },
  ];
}

/** @param {Event} event @param {State} state */
function settle({ columns }, state) {
  return flashing(settled(state), columns);
}

/** @param {Event} event @param {State} state */
function claim({ seat, column }, state) {
  const cones = state.cones.map((row) => row.with(column, 0));
  return flashing({ ...state, cones, owners: state.owners.with(column, seat) }, [column]);
}

/** @param {State} state @param {number[]} columns */
const flashing = (state, columns) => [
  { state, ms: 0 },
  { state, ms: FLASH_MS, flash: columns.map(String) },
];

/* Words */

/** @param {number} column @param {number} space */
const isTop = (column, space) => space === LENGTHS[column];

/**
 * @param {Event} event
 * @param {View} view
 * @param {State} state
 * @param {Event[]} [events] all events of the ply
 */
export function narrate(event, view, state, events = []) {
  const [mine, theirs] = NARRATED[event.kind]?.(event) ?? [];
  const words = {
    ...event,
    name: view.names[event.seat],
    faces: listed(event.faces ?? []),
    columns: listed(event.columns ?? []),
    top: LENGTHS[event.column],
  };
  const told = mine ? say(event.seat === view.seat ? mine : theirs, words) : "";
  const thrown = event.kind === "busted" && events.find(({ kind }) => kind === "thrown");
  return thrown ? `${told} ${bustInWords(thrown.faces, state)}` : told;
}

/** Why no pairing of a throw was legal. @param {number[]} faces @param {State} state */
function bustInWords(faces, state) {
  const columns = new Set(pairings(faces).flatMap((pairing) => blamed(pairing, [], state)));
  const reasons = reasonsInWords([...columns].sort((a, b) => a - b), state);
  return say(gettext("No pairing could be played: %(reasons)s."), { reasons });
}

/**
 * The choices, and after a throw the impossible ones; for a selected column, its effect.
 *
 * @param {State} state
 * @param {Boards.Sight & {selection?: string|null}} view
 */
export function prompt(state, view) {
  if (view.selection) {
    return pressInWords(Number(view.selection), state, view);
  }
  const moves = view.legal.map(columnsOf).filter((columns) => columns.length);
  if (!moves.length) {
    return throwInWords(state, view.legal);
  }
  const choices = moves.map(paired).join(gettext(", or "));
  const missing = pairings(state.dice).filter((pairing) => blamed(pairing, view.legal, state).length);
  return [
    say(gettext("Play %(choices)s."), { choices }),
    ...missing.map((pairing) => closedInWords(pairing, view.legal, state)),
  ].join(" ");
}

/** The choices before a throw. @param {State} state @param {string[]} legal */
function throwInWords(state, legal) {
  const words = stopped(state);
  if (!legal.includes("stop")) {
    return legal.length ? gettext("Throw the dice.") : "";
  }
  if (!words.claimed) {
    return say(gettext("Throw again, or stop and keep %(kept)s."), words);
  }
  return say(words.kept
    ? gettext("Throw again, or stop, claim %(claimed)s and keep %(kept)s.")
    : gettext("Throw again, or stop and claim %(claimed)s."), words);
}

/** The columns that stopping would claim, and those where it keeps the space. @param {State} state */
function stopped(state) {
  const [claimed, kept] = [true, false].map((top) => running(state).filter((column) => isTop(column, state.runners[column]) === top));
  return { claimed: listed(claimed), kept: listed(kept) };
}

/** @param {number[]} columns */
const paired = ([low, high]) => (high === undefined ? String(low) : say(gettext("%(low)s and %(high)s"), { low, high }));

/** Why a pairing, or half of it, cannot be played. @param {number[]} pairing @param {string[]} legal @param {State} state */
function closedInWords(pairing, legal, state) {
  const reasons = reasonsInWords(blamed(pairing, legal, state), state);
  const left = pairing.find((column) => moveIn(column, legal) !== undefined);
  return left === undefined
    ? say(gettext("%(pairing)s cannot be played: %(reasons)s."), { pairing: paired(pairing), reasons })
    : say(gettext("Of %(pairing)s only %(left)s can be played: %(reasons)s."), { pairing: paired(pairing), left, reasons });
}

/**
 * Why a move is only half of its pairing, "" if it is not.
 *
 * @param {string} move
 * @param {string[]} legal
 * @param {State} state
 */
function halfClosedInWords(move, legal, state) {
  const pairing = pairings(state.dice).find((columns) => columns.includes(columnsOf(move)[0])) ?? [];
  return reasonsInWords(blamed(pairing, legal, state), state);
}

/**
 * Why runners cannot move in some columns.
 *
 * @param {number[]} columns
 * @param {State} state
 */
function reasonsInWords(columns, state) {
  const claimed = columns.filter((column) => state.owners[column] !== null);
  const topped = columns.filter((column) => !claimed.includes(column) && isTop(column, standing(state, column)));
  const others = columns.filter((column) => !claimed.includes(column) && !topped.includes(column));
  /** @type {[number[], string][]} */
  const reasons = [
    [topped, ngettext("the runner in column %(columns)s is at the top", "the runners in columns %(columns)s are at the top", topped.length)],
    [claimed, ngettext("column %(columns)s is claimed", "columns %(columns)s are claimed", claimed.length)],
    [others, ngettext("no runner is left for column %(columns)s", "no runner is left for columns %(columns)s", others.length)],
  ];
  return reasons
    .filter(([where]) => where.length)
    .map(([where, words]) => say(words, { columns: listed(where) }))
    .join("; ");
}

/** Sentences of an event for the acting seat, and for everybody else. */
/** @type {Record<string, (event: Event) => [mine: string, theirs: string]>} */
const NARRATED = {
  thrown: () => [gettext("You threw %(faces)s."), gettext("%(name)s threw %(faces)s.")],
  /** @param {Event} event */
  climbed: ({ column, space }) =>
    isTop(column, space)
      ? [
          gettext("You reached the top of column %(column)s."),
          gettext("%(name)s reached the top of column %(column)s."),
        ]
      : [
          gettext("You climbed to space %(space)s of %(top)s in column %(column)s."),
          gettext("%(name)s climbed to space %(space)s of %(top)s in column %(column)s."),
        ],
  /** @param {Event} event */
  busted: ({ columns }) =>
    columns.length
      ? [
          ngettext("Bust! You lost the runner in column %(columns)s.", "Bust! You lost the runners in columns %(columns)s.", columns.length),
          ngettext("Bust! %(name)s lost the runner in column %(columns)s.", "Bust! %(name)s lost the runners in columns %(columns)s.", columns.length),
        ]
      : [gettext("Bust! Nothing can move."), gettext("Bust! Nothing can move for %(name)s.")],
  /** @param {Event} event */
  banked: ({ columns }) => [
    ngettext("You stopped and kept your place in column %(columns)s.", "You stopped and kept your places in columns %(columns)s.", columns.length),
    ngettext("%(name)s stopped and kept the place in column %(columns)s.", "%(name)s stopped and kept the places in columns %(columns)s.", columns.length),
  ],
  claimed: () => [gettext("You claimed column %(column)s."), gettext("%(name)s claimed column %(column)s.")],
};

/**
 * The content of a column and the effect of pressing it, for screen readers.
 *
 * @param {number} column
 * @param {State} state
 * @param {View} view
 */
function columnInWords(column, state, view) {
  const owner = state.owners[column];
  if (owner !== null) {
    const words = { column, name: view.names[owner] };
    return say(owner === view.seat ? gettext("Column %(column)s, claimed by you.") : gettext("Column %(column)s, claimed by %(name)s."), words);
  }
  const parts = [
    say(ngettext("Column %(column)s, %(count)s space.", "Column %(column)s, %(count)s spaces.", LENGTHS[column]), {
      column,
      count: LENGTHS[column],
    }),
  ];
  if (state.runners[column]) {
    const words = { name: view.names[state.turn], space: state.runners[column] };
    parts.push(say(state.turn === view.seat ? gettext("Your runner on %(space)s.") : gettext("Runner of %(name)s on %(space)s."), words));
  }
  state.cones.forEach((row, seat) => {
    if (row[column]) {
      const words = { name: view.names[seat], space: row[column] };
      parts.push(say(seat === view.seat ? gettext("Your cone on %(space)s.") : gettext("%(name)s on %(space)s."), words));
    }
  });
  return [...parts, pressInWords(column, state, view)].filter(Boolean).join(" ");
}

/** @param {number} column @param {State} state @param {Boards.Sight & {selection?: string|null}} view */
function pressInWords(column, state, view) {
  const move = moveIn(column, view.legal);
  if (!move) {
    const pairing = view.legal.length && pairings(state.dice).find((columns) => columns.includes(column));
    return pairing ? closedInWords(pairing, view.legal, state) : "";
  }
  const values = { pairing: columnsOf(move).join(" + "), climbs: climbsInWords(move, state) };
  return view.selection && moveIn(view.selection, view.legal) === move
    ? say(gettext("Press again to play %(pairing)s: %(climbs)s."), values)
    : say(gettext("Press to see %(pairing)s: %(climbs)s."), values);
}

/** @param {string} move @param {State} state */
function climbsInWords(move, state) {
  return listed(climbs(move, state).map(([column, , space]) =>
    isTop(column, space)
      ? say(gettext("%(column)s to the top"), { column })
      : say(gettext("%(column)s to space %(space)s of %(top)s"), { column, space, top: LENGTHS[column] }),
  ));
}

/** @param {State} state */
function stopInWords(state) {
  const words = stopped(state);
  if (!words.claimed) {
    return say(gettext("Keep %(kept)s"), words);
  }
  return say(words.kept ? gettext("Claim %(claimed)s and keep %(kept)s") : gettext("Claim %(claimed)s"), words);
}

/** The position in words; the page says whose turn it is. @param {State} state @param {View} view */
export function summary(state, view) {
  const runners = running(state).map((column) =>
    say(gettext("column %(column)s on %(space)s of %(top)s"), { column, space: state.runners[column], top: LENGTHS[column] }),
  );
  const out = runners.length && say(gettext("Runners: %(runners)s."), { runners: listed(runners) });
  const dice = state.dice.length && say(gettext("Dice: %(faces)s."), { faces: listed(state.dice) });
  const seats = state.cones.map((_, seat) => seatInWords(seat, state, view));
  return [dice, out, ...seats].filter(Boolean).join(" ");
}

/** @param {number} seat @param {State} state @param {View} view */
function seatInWords(seat, state, view) {
  const cones = COLUMNS.filter((column) => state.cones[seat][column]).map((column) =>
    say(gettext("column %(column)s on %(space)s of %(top)s"), { column, space: state.cones[seat][column], top: LENGTHS[column] }),
  );
  return say(seat === view.seat ? gettext("You claimed %(claimed)s; cones: %(cones)s.") : gettext("%(name)s claimed %(claimed)s; cones: %(cones)s."), {
    name: view.names[seat],
    claimed: listed(claimedBy(seat, state)) || gettext("nothing"),
    cones: listed(cones) || gettext("none"),
  });
}

/** @param {State} state @param {number} seat */
export const tally = (state, seat) => `${Math.min(claimedBy(seat, state).length, TO_WIN)}/${TO_WIN}`;

/** @param {Boards.Outcome} outcome @param {View} view */
export function result({ winners: [seat], scores }, view) {
  const count = scores[seat];
  return seat === view.seat
    ? say(ngettext("You claimed %(count)s column.", "You claimed %(count)s columns.", count), { count })
    : say(ngettext("%(name)s claimed %(count)s column.", "%(name)s claimed %(count)s columns.", count), {
        name: view.names[seat],
        count,
      });
}

/** @param {Boards.Ply} ply */
export function notation({ action, dice, events }) {
  if (dice) {
    const faces = `[${dice.join(" ")}]`;
    return events.some(({ kind }) => kind === "busted") ? say(gettext("%(faces)s bust"), { faces }) : faces;
  }
  return { roll: "", stop: gettext("stop") }[action] ?? action;
}

/**
 * The turn with the greatest gain: several claimed columns, else the most steps.
 *
 * @param {Boards.Ply[]} plies
 * @param {Boards.Sight} view
 */
export function fact(plies, view) {
  const turns = keptTurns(plies).sort((a, b) => b.steps - a.steps);
  const best = turns.find(({ claims }) => claims > 1) ?? turns[0];
  if (!best) {
    return "";
  }
  const [mine, theirs] = best.claims > 1
    ? [gettext("You claimed %(claims)s columns in a single turn."), gettext("%(name)s claimed %(claims)s columns in a single turn.")]
    : [
        ngettext("Your boldest turn: %(steps)s step before you stopped.", "Your boldest turn: %(steps)s steps before you stopped.", best.steps),
        ngettext("The boldest turn: %(steps)s step by %(name)s.", "The boldest turn: %(steps)s steps by %(name)s.", best.steps),
      ];
  return say(best.seat === view.seat ? mine : theirs, { ...best, name: view.names[best.seat] });
}

/**
 * The turns that banked: their steps in total, and the columns they claimed.
 *
 * @param {Boards.Ply[]} plies
 */
function keptTurns(plies) {
  /** @type {{seat: number, steps: number, claims: number}[]} */
  const turns = [];
  let turn = { seat: -1, steps: 0, claims: 0 };
  for (const { kind, seat, start, space } of /** @type {Event[]} */ (plies.flatMap(({ events }) => events))) {
    if (kind === "thrown" && (turn.seat !== seat || turns.includes(turn))) {
      turn = { seat, steps: 0, claims: 0 };
    } else if (kind === "climbed") {
      turn.steps += space - start;
    } else if (kind === "banked") {
      turns.push(turn);
    } else if (kind === "claimed") {
      turn.claims += 1;
    } else if (kind === "busted") {
      turn = { seat: -1, steps: 0, claims: 0 };
    }
  }
  return turns;
}
