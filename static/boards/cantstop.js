/**
 * The board of Can't Stop: a mountain with eleven paths, each with a stop sign at its summit. The dice lie on the left;
 * the players, or on a narrow board the chance of a bust, are on the right.
 *
 * Rows of a state are indexed by the column itself; space 0 is off the board. During an animation a state may also have
 * `rolling`, while its dice are in the air, and `bust`. games/pictures/cantstop.py draws the same shapes.
 *
 * @typedef {object} Own the fields of this game's state
 * @property {number[][]} cones
 * @property {number[]} runners
 * @property {(number|null)[]} owners
 * @property {boolean[]} present
 * @property {{topped: string}} options
 * @property {number[]} dice
 * @property {boolean} [due]
 * @property {boolean} [rolling]
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
  dieTurn,
  group,
  line,
  number,
  path,
  rect,
  seatFill,
  seatMark,
  seatPatterns,
  star,
  text,
} from "../shapes/svg.js";
import { fitted } from "../shapes/names.js";
import { rolled } from "../shapes/roll.js";
import { listed, percent, say } from "../words/sentences.js";
import { PLAN } from "./plans/cantstop.js";

/* global gettext, ngettext */

const COLUMNS = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
const LENGTHS = PLAN.lengths;
const TO_WIN = 3;
const RUNNERS = 3;
/** The size of a runner, in those of a cone. */
const RUNNER = 1.25;

/** The three ways to split four dice into two pairs. */
const SPLITS = [[[0, 1], [2, 3]], [[0, 2], [1, 3]], [[0, 3], [1, 2]]];

/* Layout */

/** @param {View} view */
const planOf = (view) => (view.narrow ? PLAN.narrow : PLAN.wide);
/** @param {number} column @param {View} view */
const middle = (column, view) => planOf(view).edge + (column - COLUMNS[0] + 0.5) * planOf(view).lane;
/** @param {number} column @param {View} view */
const summit = (column, view) => planOf(view).ground - LENGTHS[column] * planOf(view).row;

/**
 * The middle of a space, on a path that winds; space 0 is the number below the column.
 *
 * @param {number} column
 * @param {number} space
 * @param {View} view
 * @returns {[number, number]}
 */
function centre(column, space, view) {
  const { ground, row, foot, sway } = planOf(view);
  return [middle(column, view) + (space ? sway[space - 1] : 0), space ? ground - (space - 0.5) * row : ground + foot / 2];
}

/** @param {State} state @param {View} view @returns {Boards.Size} */
export const viewBox = (state, view) => /** @type {Boards.Size} */ (planOf(view).size);

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

/* The chance of a bust */

/** The different throws, each as its pairings, and in how many ways it can fall. */
const THROWS = throws();

/** @returns {[number[][], number][]} */
function throws() {
  const faces = [1, 2, 3, 4, 5, 6];
  /** @type {Map<string, number>} */
  const ways = new Map();
  for (const [a, b, c, d] of faces.flatMap((a) => faces.flatMap((b) => faces.flatMap((c) => faces.map((d) => [a, b, c, d]))))) {
    const dice = [a, b, c, d].sort().join("");
    ways.set(dice, (ways.get(dice) ?? 0) + 1);
  }
  return [...ways].map(([dice, count]) => [pairings([...dice].map(Number)), count]);
}

/**
 * The chance that a throw by the seat on turn would move nothing, as `bust_odds` in games/rules/cantstop.py.
 *
 * @param {State} state
 */
export function bustOdds(state) {
  const left = RUNNERS - running(state).length;
  const open = LENGTHS.map((_, column) =>
    state.owners[column] === null && !isTop(column, standing(state, column)) && (state.runners[column] > 0 || left > 0));
  const barred = LENGTHS.map((_, column) => state.options.topped === "strict" && isTop(column, standing(state, column)));
  /** @param {number[]} pairing */
  const moves = (pairing) => !pairing.some((column) => barred[column]) && pairing.some((column) => open[column]);
  const busts = THROWS.filter(([splits]) => !splits.some(moves));
  return busts.reduce((sum, [, ways]) => sum + ways, 0) / 6 ** 4;
}

/** Which share of their columns a move climbs. @param {string} move @param {State} state */
const gain = (move, state) => climbs(move, state).reduce((sum, [column, start, space]) => sum + (space - start) / LENGTHS[column], 0);

/**
 * The share of columns that one more throw gains on average, less what its bust would lose: the best pairing of each
 * throw, half of it where only that is open.
 *
 * @param {State} state
 */
function worth(state) {
  const open = COLUMNS.filter((column) =>
    state.owners[column] === null && !isTop(column, standing(state, column)) && (state.runners[column] > 0 || running(state).length < RUNNERS));
  /** @param {number[]} pairing */
  const played = (pairing) => gain(pairing.filter((column) => open.includes(column)).join("+"), state);
  const gained = THROWS.reduce((sum, [splits, ways]) => sum + ways * Math.max(...splits.map(played)), 0) / 6 ** 4;
  const risked = running(state).reduce((sum, column) => sum + (state.runners[column] - state.cones[state.turn][column]) / LENGTHS[column], 0);
  return gained - bustOdds(state) * risked;
}

/**
 * Advice for a newcomer: the pairing that reaches a top, or leaves the least chance of a bust; and whether to roll again.
 *
 * @param {State} state
 * @param {Boards.Sight} view
 * @returns {Boards.Advice|null}
 */
export function coach(state, { legal }) {
  if (state.dice.length) {
    return legal.length > 1 ? pairingAdvice(legal, state) : null;
  }
  if (!legal.includes("stop")) {
    return null;
  }
  const { claimed } = stopped(state);
  const chance = percent(bustOdds(state));
  if (claimed) {
    const count = running(state).filter((column) => isTop(column, state.runners[column])).length;
    return advice("stop", ngettext("Stop: that claims column %(claimed)s.", "Stop: that claims columns %(claimed)s.", count), { claimed });
  }
  if (bustOdds(state) === 0) {
    return advice("roll", gettext("Roll again: a bust is impossible now."));
  }
  const steps = running(state).reduce((sum, column) => sum + state.runners[column] - state.cones[state.turn][column], 0);
  return worth(state) > 0
    ? advice("roll", gettext("Roll again: the chance of a bust is %(chance)s."), { chance })
    : advice("stop", ngettext("Stop: a bust would cost %(steps)s step, and its chance is %(chance)s.", "Stop: a bust would cost %(steps)s steps, and its chance is %(chance)s.", steps), { steps, chance });
}

/** @param {string[]} legal @param {State} state */
function pairingAdvice(legal, state) {
  const top = legal.find((move) => climbs(move, state).some(([column, , space]) => isTop(column, space)));
  if (top) {
    const [[column]] = climbs(top, state).filter(([each, , space]) => isTop(each, space));
    return advice(top, gettext("%(pairing)s reaches the top of column %(column)s."), { pairing: columnsOf(top).join(" + "), column });
  }
  const chances = legal.map((move) => bustOdds(foreseen(move, state)));
  const least = Math.min(...chances);
  const [move] = legal.filter((_, nth) => chances[nth] === least).sort((one, other) => gain(other, state) - gain(one, state));
  const words = { pairing: columnsOf(move).join(" + "), chance: percent(least) };
  return chances.every((each) => each === least)
    ? advice(move, gettext("%(pairing)s climbs most, measured by the length of the columns."), words)
    : advice(move, gettext("%(pairing)s leaves the smallest chance of a bust: %(chance)s."), words);
}

/** The glowing button has the same words. @param {string} move @param {string} sentence @param {object} [values] @returns {Boards.Advice} */
function advice(move, sentence, values = {}) {
  const words = say(sentence, values);
  return { move, words, told: words };
}

/**
 * The chance of a bust by the next throw: that after the shown move, or the least and the greatest that the choices
 * lead to.
 *
 * @param {State} state
 * @param {View} view
 * @param {string|null|undefined} move
 */
function odds(state, view, move) {
  const choices = state.dice.length ? view.legal.filter((each) => columnsOf(each).length) : [];
  const after = move ? [move] : choices;
  const chances = after.length ? after.map((each) => bustOdds(foreseen(each, state))) : [bustOdds(state)];
  return [Math.min(...chances), Math.max(...chances)];
}

/** @param {number[]} odds the least and the greatest chance */
function oddsInWords([least, most]) {
  const [low, high] = [percent(least), percent(most)];
  return low === high ? high : `${low} – ${high}`;
}

/* Drawing */

/** The space that is reached in each column that is climbed. @param {string} move @param {State} state @param {View} view @returns {Boards.Track[]} */
export const tracks = (move, state, view) => climbs(move, state).map(([column, , space]) => (
  { spots: [[...centre(column, space, view), planOf(view).row * 0.7]] }
));

/** @param {State} state @param {View} view */
export function draw(state, view) {
  const [width, height] = viewBox(state, view);
  const { far, hill, seats } = planOf(view);
  const move = shownMove(view);
  const shown = move ? foreseen(move, state) : state;
  return [
    seatPatterns(state.cones.length, 14),
    rect(0, 0, width, height, { key: "sky", rx: 22, fill: "var(--felt)" }),
    path(far, { key: "far", fill: "var(--felt-deep)", "fill-opacity": 0.4 }),
    path(hill, { key: "hill", fill: "var(--felt-deep)" }),
    ...COLUMNS.map((column) => drawColumn(column, state, view)),
    group({ key: "trails" }, running(state).flatMap((column) => drawTrail(column, state, view))),
    group({ key: "hints" }, view.legal.flatMap((each) => drawHints(each, each === move, state, view))),
    group({ key: "ways" }, move ? climbs(move, state).map((climb) => drawWay(climb, view)) : []),
    group({ key: "pieces" }, COLUMNS.flatMap((column) => drawPieces(column, shown, view))),
    drawValley(state, view, move),
    group({ key: "gauge" }, [!view.small && !state.ended && !view.outcome && drawOdds(odds(state, view, move), view)]),
    // On a phone they are above and below the board.
    group({ key: "seats" }, seats ? state.cones.map((_, seat) => drawSeat(seat, seats, state, view)) : []),
  ];
}

/** @param {number} column @param {State} state @param {View} view */
function drawColumn(column, state, view) {
  const { lane, ground, foot, sign } = planOf(view);
  const owner = state.owners[column];
  const [x, top] = [middle(column, view), summit(column, view)];
  /** @type {Boards.Cell} */
  const cell = {
    name: String(column),
    label: columnInWords(column, state, view),
    box: [x - lane / 2, top - 2 * sign - 6, lane, ground + foot - top + 2 * sign + 6],
    playable: moveIn(column, view.legal) !== undefined,
  };
  return group({ key: `column-${column}`, cell }, [
    drawSpaces(column, owner, view),
    owner !== null && drawClaim(column, owner, view),
    drawSign(column, owner, view),
    number(column, ...centre(column, 0, view), foot * 0.5, { stroke: "var(--on-felt)", opacity: owner === null ? null : 0.6 }),
  ]);
}

/**
 * The path of a column, with a stone for each space.
 *
 * @param {number} column
 * @param {number|null} owner
 * @param {View} view
 */
function drawSpaces(column, owner, view) {
  const { tile: [width, height], ground } = planOf(view);
  const spaces = Array.from({ length: LENGTHS[column] }, (_, below) => centre(column, below + 1, view));
  const stones = spaces.map(([x, y]) =>
    rect(x - width / 2, y - height / 2, width, height, { rx: height / 2.4, fill: "var(--wood-light)", stroke: "var(--wood-edge)", "stroke-width": 1.5 }));
  const way = [[middle(column, view), ground], ...spaces, [middle(column, view), summit(column, view)]];
  return group({ key: "open", opacity: owner === null ? null : 0.3 }, [
    path(`M${way.map((point) => point.join(" ")).join("L")}`, { fill: "none", stroke: "var(--wood-edge)", "stroke-width": 5 }),
    ...stones,
  ]);
}

/** A stop sign with the number of the column, or with the mark of its owner. @param {number} column @param {number|null} owner @param {View} view */
function drawSign(column, owner, view) {
  const { sign } = planOf(view);
  const [x, y] = [middle(column, view), summit(column, view) - sign - 4];
  const [fill, stroke] = owner === null ? ["var(--danger)", "var(--on-danger)"] : ["var(--card)", "var(--on-felt)"];
  return group({ transform: at(x, y) }, [
    path(octagon(sign), { fill, stroke, "stroke-width": 2.5 }),
    owner === null ? number(column, 0, 0, sign * 0.8, { stroke: "var(--on-danger)" }) : seatMark(owner, 0, 0, sign * 0.66),
  ]);
}

/** An octagon around 0, 0 with flat sides at distance `r`. @param {number} r */
function octagon(r) {
  const cut = Math.round(r * 41.4) / 100;
  return `M-${cut} ${-r}H${cut}L${r} -${cut}V${cut}L${cut} ${r}H-${cut}L${-r} ${cut}V-${cut}Z`;
}

/**
 * A claimed column: a banner from foot to summit, in the owner's colour and pattern.
 *
 * @param {number} column
 * @param {number} owner
 * @param {View} view
 */
function drawClaim(column, owner, view) {
  const { tile, ground } = planOf(view);
  const [width, top] = [tile[0] * 0.44, summit(column, view) + 2];
  const left = middle(column, view) - width / 2;
  return group({ key: "claimed" }, [
    rect(left, top, width, ground - top - 2, { rx: 9, fill: "var(--seat-bed)", stroke: "var(--on-felt)", "stroke-width": 2.5 }),
    rect(left + 5, top + 5, width - 10, ground - top - 12, { rx: 5, fill: seatFill(owner) }),
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
  const { tile: [width, height] } = planOf(view);
  const [from, to] = [state.cones[state.turn][column], state.runners[column]];
  return Array.from({ length: to - from }, (_, above) => {
    const [x, y] = centre(column, from + above + 1, view);
    return rect(x - width / 2 + 2, y - height / 2 + 2, width - 4, height - 4, {
      key: `trail-${column}-${from + above + 1}`,
      rx: height / 2.6,
      fill: "var(--mark)",
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
  const { tile: [width, height] } = planOf(view);
  return climbs(move, state).map(([column, , space]) => {
    const [x, y] = centre(column, space, view);
    return rect(x - width / 2 + 3, y - height / 2 + 3, width - 6, height - 6, {
      key: `hint-${column}`,
      rx: height / 2.8,
      fill: isShown ? "var(--mark)" : "none",
      stroke: isShown ? "var(--mark-edge)" : "var(--on-wood)",
      "stroke-width": isShown ? 4 : 3.5,
      "stroke-dasharray": isShown ? null : "7 5",
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
  const { places, radii } = planOf(view);
  const [x, y] = centre(column, space, view);
  const [right, down] = places[/** @type {keyof typeof places} */ (String(sharing))][nth];
  const r = radii[sharing - 1];
  return seat === null
    ? drawRunner(state.turn, x + right, y + down, r * RUNNER, { key: `runner-${column}` })
    : seatMark(seat, x + right, y + down, r, { key: `cone-${seat}-${column}` });
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
    path(PLAN.runner, {
      fill: "var(--ink)",
      stroke: "var(--card)",
      "stroke-width": 1.6,
      "stroke-linejoin": "round",
    }),
    seatMark(seat, 0, 4, 3.6),
  ]);
}

/** The path of a runner's climb. @param {Climb} climb @param {View} view */
function drawWay([column, start, space], view) {
  const [x, top] = centre(column, space, view);
  const [from, bottom] = start ? centre(column, start, view) : [middle(column, view), planOf(view).ground];
  return line(x, top, from, bottom, {
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
  const busted = state.dice.length || state.rolling ? null : bustFaces(view);
  const faces = busted || state.dice;
  const strong = Boolean(busted || state.bust);
  const { die: size } = planOf(view);
  return group({ key: "valley" }, [
    group({ key: "links" }, move && state.dice.length ? drawLinks(move, state.dice, view) : []),
    ...(state.rolling ? [] : beds(view).map(([x, y], nth) => {
      const face = faces[nth] ?? 0;
      return group({ key: `die-${nth}`, opacity: face || state.due ? 1 : 0.35 }, [
        die(face, x, y, size, { turn: dieTurn(nth, face), strong }),
      ]);
    })),
    (busted || state.bust) && !view.small && drawBust(view),
  ]);
}

/** The places of the four dice. @param {View} view @returns {[number, number][]} */
function beds(view) {
  const { valley: [x, y], bed } = planOf(view);
  return [[x - bed, y - bed], [x + bed, y - bed], [x - bed, y + bed], [x + bed, y + bed]];
}

/** The pairs of dice that a move plays, and the other one: indexes of dice, the pair with the first column first. @param {string} move @param {number[]} dice */
function pairsOf(move, dice) {
  const [sum] = columnsOf(move);
  /** @param {number[]} pair */
  const adds = (pair) => dice[pair[0]] + dice[pair[1]] === sum;
  const split = SPLITS.find((pairs) => pairs.some(adds)) ?? SPLITS[0];
  return split.toSorted((one, other) => Number(adds(other)) - Number(adds(one)));
}

/**
 * Bars between the paired dice of the shown move, the second one fainter.
 *
 * @param {string} move
 * @param {number[]} dice
 * @param {View} view
 */
function drawLinks(move, dice, view) {
  const places = beds(view);
  return pairsOf(move, dice).map(([one, other], nth) =>
    line(...places[one], ...places[other], {
      key: `link-${nth}`,
      stroke: "var(--mark)",
      "stroke-width": planOf(view).die * 1.22,
      "stroke-linecap": "round",
      "stroke-opacity": nth ? 0.55 : 1,
    }),
  );
}

/** @param {View} view */
function drawBust(view) {
  const { valley: [x, y], bed } = planOf(view);
  return group({ key: "bust" }, [
    rect(x - 78, y + bed * 1.62, 156, 50, { rx: 25, fill: "var(--danger)", stroke: "var(--on-danger)", "stroke-width": 2 }),
    text(x, y + bed * 1.62 + 26, gettext("Bust!"), { size: 34, fill: "var(--on-danger)", "font-weight": 700 }),
  ]);
}

/** The chance of a bust, in figures and as a bar. @param {number[]} chances @param {View} view */
function drawOdds(chances, view) {
  const [x, y, width, height] = planOf(view).gauge;
  const [inner, bar] = [width - 28, y + height - 18];
  const words = fitted(gettext("Bust"), inner * 0.42, 24);
  const figures = fitted(oddsInWords(chances), inner * 0.66, 30, true);
  return group({ key: "odds" }, [
    rect(x, y, width, height, { rx: 14, fill: "var(--card)", stroke: "var(--tile-edge)", "stroke-width": 2 }),
    text(x + 14, y + height * 0.4, words.words, { size: words.size, fill: "var(--ink-soft)", "text-anchor": "start" }),
    text(x + width - 14, y + height * 0.4, figures.words, { size: figures.size, fill: "var(--ink)", "font-weight": 700, "text-anchor": "end" }),
    rect(x + 14, bar, inner, 8, { rx: 4, fill: "var(--line)" }),
    rect(x + 14, bar, inner * chances[1], 8, { rx: 4, fill: "var(--danger)", "fill-opacity": 0.55 }),
    rect(x + 14, bar, inner * chances[0], 8, { rx: 4, fill: "var(--danger)" }),
  ]);
}

/* The players */

/** @param {number} seat @param {number[]} place @param {State} state @param {View} view */
function drawSeat(seat, [x, top, width, room, most, apart], state, view) {
  const pitch = Math.min(most, room / state.cones.length);
  const [y, height] = [top + seat * pitch, pitch - apart];
  const [start, size, sign] = [height + 6, Math.min(24, height * 0.46), height * 0.2];
  const isOnTurn = state.turn === seat && !state.ended && !view.outcome;
  const hasWon = (view.outcome ?? state.ended)?.winners.includes(seat) ?? false;
  const ink = isOnTurn ? "var(--ink)" : "var(--on-felt)";
  const claimed = claimedBy(seat, state).length;
  const signs = x + width - 14 - 2.6 * TO_WIN * sign;
  const name = fitted(view.names[seat] ?? "", signs - x - start - 10, size, isOnTurn);
  return group({ key: `seat-${seat}`, opacity: state.present[seat] ? null : 0.45 }, [
    rect(x, y, width, height, {
      rx: 12,
      fill: isOnTurn ? "var(--card)" : "var(--felt-deep)",
      stroke: isOnTurn || hasWon ? "var(--mark)" : null,
      "stroke-width": 4,
    }),
    circle(x + height / 2 + 1, y + height / 2, height * 0.4, { fill: "var(--card)" }),
    hasWon ? star(x + height / 2 + 1, y + height / 2, height * 0.32) : seatMark(seat, x + height / 2 + 1, y + height / 2, height * 0.29),
    !view.small && text(x + start, y + height / 2, name.words, {
      size: name.size,
      fill: ink,
      "text-anchor": "start",
      "font-weight": isOnTurn ? 700 : 400,
    }),
    ...Array.from({ length: TO_WIN }, (_, nth) =>
      path(octagon(sign), {
        transform: at(signs + (1.3 + 2.6 * nth) * sign, y + height / 2),
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
      ? say(gettext("No pairing of this roll moves in column %(column)s."), { column: cell })
      : gettext("Roll the dice first."),
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
    dice: pairsInDice(pairing.join("+"), state.dice),
    hint: reasonsInWords(blamed(pairing, view.legal, state), state),
    closed: true,
  }))];
}

/** @param {State} state @param {View} view */
function open(state, view) {
  return view.legal.map((move, nth) => {
    if (move === "roll") {
      const label = running(state).length ? gettext("Roll again") : gettext("Roll the dice");
      return { move, label, hotkey: "r", primary: true };
    }
    if (move === "stop") {
      return { move, label: gettext("Stop"), hotkey: "s", hint: stopInWords(state) };
    }
    return {
      move,
      label: columnsOf(move).join(" + "),
      dice: pairsInDice(move, state.dice),
      hotkey: String(nth + 1),
      hint: [climbsInWords(move, state), halfClosedInWords(move, view.legal, state)].filter(Boolean).join("; "),
    };
  });
}

/**
 * The two pairs of dice of a pairing; a pair that is not played is faint.
 *
 * @param {string} move
 * @param {number[]} dice
 */
function pairsInDice(move, dice) {
  const columns = columnsOf(move);
  return pairsOf(move, dice).map(([one, other], nth) => ({
    faces: [dice[one], dice[other]],
    faint: nth > 0 && columns.length === 1 && dice[one] + dice[other] !== columns[0],
  }));
}

/* Animation: the state of a frame is drawn at its end. */

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

/** @param {Event} event @param {State} state @param {View} view @returns {Boards.Frame<State>[]} */
function tumble({ faces }, state, view) {
  const { size: [width, height], die: size } = planOf(view);
  const landed = { ...state, due: false, dice: faces };
  const dice = beds(view).map((to, nth) => ({ face: faces[nth], to, size, turn: dieTurn(nth, faces[nth]) }));
  return [...rolled(dice, [width / 2, height], { ...landed, dice: [], rolling: true }, landed), { state: landed, ms: LOOK_MS }];
}

/** @param {Event} event @param {State} state @param {View} view @returns {Boards.Frame<State>[]} */
function climb({ seat, column, start, space }, state, view) {
  const without = withRunner({ ...state, dice: [] }, column, 0);
  const fly = [
    {
      shape: drawRunner(seat, 0, 0, planOf(view).radii[0] * RUNNER),
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
    shape: drawRunner(seat, 0, 0, planOf(view).radii[0] * RUNNER),
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
  return say(gettext("No pairing can be played: %(reasons)s."), { reasons });
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
    return legal.length ? gettext("Roll the dice.") : "";
  }
  if (!words.claimed) {
    return `${say(gettext("Roll again, or stop and keep %(kept)s."), words)} ${riskInWords(state)}`;
  }
  const choice = say(words.kept
    ? gettext("Roll again, or stop, claim %(claimed)s and keep %(kept)s.")
    : gettext("Roll again, or stop and claim %(claimed)s."), words);
  return `${choice} ${riskInWords(state)}`;
}

/** @param {State} state */
const riskInWords = (state) => say(gettext("Chance of a bust: %(chance)s."), { chance: percent(bustOdds(state)) });

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
  thrown: () => [gettext("You rolled %(faces)s."), gettext("%(name)s rolled %(faces)s.")],
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
    parts.push(say(state.turn === view.seat ? gettext("Your runner on %(space)s.") : gettext("%(name)s’s runner on %(space)s."), words));
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
    ? [gettext("You claimed %(claims)s columns in one turn."), gettext("%(name)s claimed %(claims)s columns in one turn.")]
    : [
        ngettext("Your longest climb: %(steps)s step in one turn.", "Your longest climb: %(steps)s steps in one turn.", best.steps),
        ngettext("Longest climb: %(steps)s step in one turn, by %(name)s.", "Longest climb: %(steps)s steps in one turn, by %(name)s.", best.steps),
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
