/**
 * What the server says of positions.
 *
 * @typedef {object} Told a position as docs/reference/api.md describes it
 * @property {string} position
 * @property {Boards.State} state
 * @property {string[]} legal
 * @property {{count: number, sides: number}|null} dice
 * @property {Boards.Outcome|null} outcome
 * @property {import("./value.js").Value|null} value
 * @property {Record<string, string>} notations
 *
 * @typedef {{events: Boards.Event[], after: Told}} Step a position, and what led to it from the one before
 */

import { getJson } from "../net/json.js";

/* global gettext */

/** @param {string} address @param {string[][]} query */
export function answerOf(address, query) {
  // The language of the page may not be that of the browser.
  return getJson(`${address}?${new URLSearchParams(query)}`, { headers: { "Accept-Language": document.documentElement.lang } });
}

/**
 * What a move or a roll leads to, or why it is refused.
 *
 * @param {string} address
 * @param {string} position
 * @param {{move?: string, dice?: number[]}} action
 * @returns {Promise<Step|string>}
 */
export async function stepAfter(address, position, { move = "", dice = [] }) {
  const { ok, told } = await answerOf(address, [["position", position], ["move", move], ...dice.map((face) => ["dice", String(face)])]);
  return (ok && told) || (told?.detail ?? gettext("Cannot reach the server. Try again later."));
}
