/** Which puzzles of the collection this browser's user has solved. */

import { readList, writeJson } from "../net/storage.js";

const KEY = "parlour:solved";

/** @param {Storage|null} storage @returns {Set<string>} their keys */
export function solvedPuzzles(storage) {
  return new Set(readList(storage, KEY).filter((each) => typeof each === "string"));
}

/** @param {Storage|null} storage @param {string} key */
export function setSolvedPuzzle(storage, key) {
  writeJson(storage, KEY, [...solvedPuzzles(storage).add(key)]);
}
