/**
 * Moves drawn over a position: the played one as a dashed line with a cross, the better one as a full one with a star, and
 * marks without a badge. Pure.
 */

import { OUTLINES } from "../shapes/outlines.js";
import { at, circle, group, path, round } from "../shapes/svg.js";

/** How far the badges are from the first place, in its radius. */
const BESIDE = Math.SQRT1_2;
/** The number of the star among the outlines. */
const STAR = 5;

/**
 * @typedef {"better"|"played"|"marked"} Kind
 * @typedef {{x: number, y: number}} Point
 */

const LOOKS = {
  better: { colour: "var(--hint)", halo: "var(--on-hint)", side: 1 },
  played: { colour: "var(--danger)", halo: "var(--on-danger)", side: -1 },
  marked: { colour: "var(--hint)", halo: "var(--on-hint)", side: 1 },
};

/**
 * @param {Boards.Track[]} tracks where a move is drawn (`Boards.Module.tracks`)
 * @param {Kind} kind
 * @param {number} unit the width of the board's drawing
 * @returns {Boards.Shape}
 */
export function drawTracks(tracks, kind, unit) {
  return group({ key: kind, class: `track-${kind}` }, tracks.flatMap((track, nth) => drawTrack(track, kind, unit, nth)));
}

/** @param {Boards.Track} track @param {Kind} kind @param {number} unit @param {number} nth */
function drawTrack({ spots, bend = 0 }, kind, unit, nth) {
  const width = Math.min(unit / 130, spots[0][2] / 4);
  const { colour, halo, side } = LOOKS[kind];
  const [x, y, r] = spots[0];
  const end = spots.length > 1 ? spots[spots.length - 1] : null;
  const ring = `M${round(x - r)} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
  const way = end ? arrow({ x, y }, r, { x: end[0], y: end[1] }, end[2], bend, width) : { line: "", head: "" };
  const lines = ring + way.line;
  const look = { fill: "none", "stroke-linecap": "round", "stroke-linejoin": "round" };
  const badge = Math.max(2.2 * width, 0.3 * r);
  return [
    path(lines + way.head, { ...look, key: `halo-${nth}`, stroke: halo, "stroke-width": round(2 * width) }),
    path(lines, {
      ...look,
      key: `line-${nth}`,
      stroke: colour,
      "stroke-width": round(1.2 * width),
      "stroke-dasharray": kind === "played" ? `${round(2.6 * width)} ${round(2.4 * width)}` : null,
    }),
    end && path(way.head, { ...look, key: `head-${nth}`, stroke: colour, "stroke-width": round(1.2 * width) }),
    kind !== "marked" && group({ key: `badge-${nth}`, transform: at(x + side * r * BESIDE, y - r * BESIDE) }, [
      circle(0, 0, round(badge), { fill: colour, stroke: halo, "stroke-width": round(width / 3) }),
      kind === "played" ? cross(badge * 0.45, halo, width) : path(OUTLINES.outlines[STAR], { fill: halo, transform: at(0, 0, { scale: badge * 0.75 }) }),
    ]),
  ];
}

/** @param {number} reach @param {string} stroke @param {number} width */
function cross(reach, stroke, width) {
  const r = round(reach);
  return path(`M${-r} ${-r}L${r} ${r}M${-r} ${r}L${r} ${-r}`, { stroke, "stroke-width": round(0.9 * width), "stroke-linecap": "round" });
}

/**
 * A curve from the edge of one place to the edge of another, and its head.
 *
 * @param {Point} from
 * @param {number} near radius of the first place
 * @param {Point} to
 * @param {number} far radius of the last place
 * @param {number} bend
 * @param {number} width
 */
function arrow(from, near, to, far, bend, width) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  // To the side where the middle of the board is not: upwards from left to right.
  const turn = { x: (from.x + to.x) / 2 + dy * bend, y: (from.y + to.y) / 2 - dx * bend };
  const start = towards(from, turn, near);
  const tip = towards(to, turn, far);
  const angle = Math.atan2(tip.y - turn.y, tip.x - turn.x);
  const wings = [0.8, -0.8].map((side) => {
    const [x, y] = [tip.x - 4 * width * Math.cos(angle + side), tip.y - 4 * width * Math.sin(angle + side)];
    return `${round(x)} ${round(y)}`;
  });
  return {
    line: `M${start.x} ${start.y}Q${round(turn.x)} ${round(turn.y)} ${tip.x} ${tip.y}`,
    head: `M${wings[0]}L${tip.x} ${tip.y}L${wings[1]}`,
  };
}

/** The point at a distance from one towards another. @param {Point} from @param {Point} to @param {number} distance @returns {Point} */
function towards(from, to, distance) {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  return { x: round(from.x + ((to.x - from.x) * distance) / length), y: round(from.y + ((to.y - from.y) * distance) / length) };
}
