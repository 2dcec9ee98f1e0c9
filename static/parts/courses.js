/** How many lessons of the courses this browser's user has done, until an account keeps it. */

import { postJson } from "../net/json.js";
import { readJson, writeJson } from "../net/storage.js";

const KEY = "parlour:courses";

/** @typedef {{isNew: boolean}} Lesson */

/** @param {Storage|null} storage @param {string} game its slug */
export function lessonsDone(storage, game) {
  const done = readJson(storage, KEY)?.[game];
  return Number.isInteger(done) ? done : 0;
}

/** Note that so many lessons are done. @param {Storage|null} storage @param {string} game its slug @param {number} lessons */
export function setLessons(storage, game, lessons) {
  if (lessons > lessonsDone(storage, game)) {
    writeJson(storage, KEY, { ...readJson(storage, KEY), [game]: lessons });
  }
}

/**
 * The lesson to go on with after so many: the next one, or the one before in whose position that begins. After the last
 * lesson, the first.
 *
 * @param {number} done
 * @param {Lesson[]} lessons
 */
export function followingLesson(done, lessons) {
  return lessons.slice(0, (done in lessons ? done : 0) + 1).findLastIndex(({ isNew }) => isNew);
}

/**
 * Have the account of the page keep what the browser knows, and forget it here.
 *
 * @param {Storage|null} storage
 * @param {string} [address] where accounts keep it; without it there is no account
 */
export async function handOver(storage, address) {
  const known = readJson(storage, KEY);
  if (!address || !known) {
    return;
  }
  const { ok } = await postJson(address, new URLSearchParams(known));
  // Another lesson may have been done in the meantime.
  if (ok && JSON.stringify(readJson(storage, KEY)) === JSON.stringify(known)) {
    writeJson(storage, KEY, null);
  }
}
