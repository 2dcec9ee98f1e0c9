/** How many days in a row this browser's user has solved the daily puzzle, and the text that shares it. */

import { readJson, writeJson } from "../net/storage.js";
import { say } from "../words/sentences.js";

/* global ngettext */

const KEY = "parlour:puzzles";
const A_DAY_MS = 86_400_000;

/** @typedef {{day: string, days: number}} Streak the last day that was solved on its day, as 2026-11-22, and how many in a row */

/** @param {Storage|null} storage @returns {Streak} */
function kept(storage) {
  const { day, days } = readJson(storage, KEY) ?? {};
  return typeof day === "string" && Number.isInteger(days) ? { day, days } : { day: "", days: 0 };
}

/** @param {string} day */
const dayBefore = (day) => new Date(Date.parse(day) - A_DAY_MS).toISOString().slice(0, 10);

/** The days in a row up to a day; 0 if it and the one before were not solved. @param {Storage|null} storage @param {string} day */
export function daysUpTo(storage, day) {
  const { day: last, days } = kept(storage);
  return last === day || last === dayBefore(day) ? days : 0;
}

/** Count a day as solved, once. @param {Storage|null} storage @param {string} day @returns {number} the days in a row */
export function setSolved(storage, day) {
  const days = kept(storage).day === day ? kept(storage).days : daysUpTo(storage, day) + 1;
  writeJson(storage, KEY, { day, days });
  return days;
}

/** @param {number} days @returns {string} "" for less than two */
export function streakWords(days) {
  return days < 2 ? "" : say(ngettext("%(days)s day in a row", "%(days)s days in a row", days), { days });
}

/**
 * What is shared: how it went, and nothing about the answer.
 *
 * @param {string} title
 * @param {number} tries
 * @param {number} days in a row
 */
export function shareWords(title, tries, days) {
  const solved = say(ngettext("Solved in %(tries)s try", "Solved in %(tries)s tries", tries), { tries });
  return [title, solved, streakWords(days)].filter(Boolean).map((part) => `${part}.`).join(" ");
}
