/** The colours of the site as tests need them: every set of them that somebody may choose, and how light each is. */

import { readFileSync } from "node:fs";

const TEXT = readFileSync(new URL("../../static/css/tokens.css", import.meta.url), "utf8").replace(/\/\*.*?\*\//gs, "");
const COLOUR = /--([\w-]+):\s*(?:light-dark\((#\w{6}), (#\w{6})\)|(#\w{6}))/g;

/** The blocks of the file: their selectors, and what stands in them. */
const BLOCKS = [...TEXT.matchAll(/([^{}]+)\{([^{}]*)\}/g)].map(([, selector, body]) => ({ selector, body }));

/** @param {string} body @param {boolean} dark */
const coloursIn = (body, dark) =>
  Object.fromEntries([...body.matchAll(COLOUR)].map(([, name, day, night, both]) => [name, both ?? (dark ? night : day)]));

/** Every set of colours: the boards somebody may choose, by day and by night. */
export const THEMES = [...TEXT.matchAll(/^\[data-board="(\w+)"\]/gm)].flatMap(([, board]) =>
  [false, true].map((dark) => {
    const blocks = BLOCKS.filter(({ selector }) => /:root\b(?!\[)/.test(selector) || selector.includes(`"${board}"`));
    const colours = Object.assign({}, ...blocks.map(({ body }) => coloursIn(body, dark)));
    return { name: `${board} ${dark ? "dark" : "light"}`, colours };
  }),
);

/** The factor of motion's time at each speed, and where none is chosen. */
export const PACES = Object.fromEntries(
  BLOCKS.filter(({ body }) => body.includes("--pace:")).flatMap(({ selector, body }) => {
    const speed = /data-speed="(\w+)"/.exec(selector)?.[1] ?? (selector.includes("data-speed") ? null : "normal");
    return speed ? [[speed, Number(/--pace: ([\d.]+)/.exec(body)?.[1])]] : [];
  }),
);

/** How light a colour is, as WCAG counts it. @param {string} colour */
export function luminance(colour) {
  const linear = [1, 3, 5]
    .map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
}

/** @param {string} one @param {string} other */
export function contrast(one, other) {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}
