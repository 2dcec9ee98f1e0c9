/**
 * The drawing of the board.
 *
 * @typedef {import("./position.js").State} State
 * @typedef {import("./position.js").View} View
 * @typedef {import("./position.js").Climb} Climb
 * @typedef {import("./position.js").Piece} Piece
 */

import { fitted } from "../../shapes/names.js";
import { at, circle, die, dieTurn, group, line, number, path, rect, seatFill, seatMark, seatPatterns, star, text } from "../../shapes/svg.js";
import { percent } from "../../words/sentences.js";
import { bustOdds } from "./odds.js";
import { RUNNER, centre, middle, planOf, summit, viewBox } from "./layout.js";
import { PLAN } from "./plan.js";
import { COLUMNS, LENGTHS, TO_WIN, claimedBy, climbs, columnsOf, foreseen, moveIn, pairsOf, running, shownMove } from "./position.js";
import { columnInWords } from "./words.js";

/* global gettext */

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
    group({ key: "gauge" }, [!view.small && drawGauge(state, view, move)]),
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
 * @param {import("../../shapes/svg.js").Attrs} [attrs]
 */
export function drawRunner(seat, x, y, r, attrs = {}) {
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

/** The faces of the last bust, while no dice are thrown. @param {State} state @param {View} view */
const busted = (state, view) => (state.dice.length || state.rolling ? null : bustFaces(view));

/** @param {State} state @param {View} view */
const hasBust = (state, view) => Boolean(busted(state, view) || state.bust);

/** @param {State} state @param {View} view @param {string|null|undefined} move */
function drawValley(state, view, move) {
  const faces = busted(state, view) || state.dice;
  const strong = hasBust(state, view);
  const { die: size } = planOf(view);
  return group({ key: "valley" }, [
    group({ key: "links" }, move && state.dice.length ? drawLinks(move, state.dice, view) : []),
    ...(state.rolling ? [] : beds(view).map(([x, y], nth) => {
      const face = faces[nth] ?? 0;
      return group({ key: `die-${nth}`, opacity: face || state.due ? 1 : 0.35 }, [
        die(face, x, y, size, { turn: dieTurn(nth, face), strong }),
      ]);
    })),
  ]);
}

/** The places of the four dice. @param {View} view @returns {[number, number][]} */
export function beds(view) {
  const { valley: [x, y], bed } = planOf(view);
  return [[x - bed, y - bed], [x + bed, y - bed], [x - bed, y + bed], [x + bed, y + bed]];
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

/**
 * Beside the dice: the bust that has just been, else the chance of one, unless there is none before the first throw.
 *
 * @param {State} state
 * @param {View} view
 * @param {string|null|undefined} move
 */
function drawGauge(state, view, move) {
  if (hasBust(state, view)) {
    return drawBust(view);
  }
  const chances = odds(state, view, move);
  const begun = running(state).length > 0 || state.dice.length > 0 || chances[1] > 0;
  return begun && !state.ended && !view.outcome && drawOdds(chances, view);
}

/** @param {View} view */
function drawBust(view) {
  const [x, y, width, height] = planOf(view).gauge;
  return group({ key: "bust" }, [
    rect(x, y, width, height, { rx: 14, fill: "var(--danger)", stroke: "var(--on-danger)", "stroke-width": 2 }),
    text(x + width / 2, y + height / 2 + 2, gettext("Bust!"), { size: 34, fill: "var(--on-danger)", "font-weight": 700 }),
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
