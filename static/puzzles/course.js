/** Where this browser's user is in the courses of the games. */

import { readJson, writeJson } from "../net/storage.js";

const KEY = "parlour:courses";

/** @typedef {{isNew: boolean}} Lesson */

/**
 * The lesson to go on with: the one that was reached, or the one before in whose position that begins.
 *
 * @param {Storage|null} storage
 * @param {string} game its slug
 * @param {Lesson[]} lessons
 */
export function lessonReached(storage, game, lessons) {
  const reached = readJson(storage, KEY)?.[game];
  const known = Number.isInteger(reached) && reached in lessons ? reached : 0;
  return lessons.slice(0, known + 1).findLastIndex(({ isNew }) => isNew);
}

/** @param {Storage|null} storage @param {string} game its slug @param {number} lesson */
export function setLesson(storage, game, lesson) {
  writeJson(storage, KEY, { ...readJson(storage, KEY), [game]: lesson });
}
