/**
 * The drawing of the board.
 *
 * @typedef {import("./position.js").State} State
 * @typedef {import("./position.js").View} View
 * @typedef {import("./position.js").Spot} Spot
 */

import { SHADE, at, circle, ellipse, gradient, group, number, path, rect, round, scatter, seatMark, shape, star, text } from "../../shapes/svg.js";
import { say } from "../../words/sentences.js";
import { numberSpot, planOf, spot, viewBox } from "./layout.js";
import { isStore, landing, numberOf, ownerOf, placeOf, shownNumber } from "./position.js";
import { COLOURS, seeds } from "./seeds.js";

/* global gettext, ngettext */

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

/** A line around a place, `beyond` its edge. @param {Spot} spot @param {boolean} store @param {number} beyond @param {import("../../shapes/svg.js").Attrs} attrs */
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
 * The number of seeds beside the pit; its own number on its rim.
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
    !view.small && keyMark(shownNumber(state, place, view), x, y + side * (ry - (view.narrow ? 7 : 9)), view.narrow ? 0.65 : 1, playable),
  ]);
}

/** @param {State} state @param {number} place @param {number[]} spot @param {View} view */
const count = (state, place, [x, y], view) =>
  number(state.board[place], x, y, planOf(view).number, { key: "count", stroke: "var(--on-wood)", "stroke-width": 1.1 });

/** The number of a pit: a hotkey if the pit can be sown. @param {number} key @param {number} x @param {number} y @param {number} scale @param {boolean} playable */
function keyMark(key, x, y, scale, playable) {
  return group({ key: "key", class: playable ? "board-key" : "board-place", transform: at(x, y, { scale }) }, [
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

/** From a pit to where its last seed lands. @param {string} move @param {State} state @param {View} view @returns {Boards.Track[]} */
export function tracks(move, state, view) {
  if (move === "swap") {
    return [];
  }
  const start = placeOf(state, state.turn, Number(move));
  const [from, to] = [start, landing(state, start)].map((place) => spot(state, place, view));
  return [{ spots: [[from.x, from.y, from.rx], [to.x, to.y, 0]], bend: 0.25 }];
}
