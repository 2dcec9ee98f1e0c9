/** The page "Check the dice" put together: fetch the sealed file, throw every throw again, show it all. */

import { check } from "./check_dice.js";
import { facesTable, throwsRows } from "./tables.js";
import { insecureWords, problemWords, soundWords, unreachableWords } from "./words.js";
import { tally } from "./faces.js";
import { lastingStorageOrNull, notePromise, notedPromise } from "./promise.js";
import { bindCopy } from "../parts/share.js";

/* global gettext */

const id = (name) => document.getElementById(name);
const { match, promise, file } = id("dice").dataset;
const storage = lastingStorageOrNull();

bindCopy(id("promise"), (words) => {
  id("said").textContent = words;
});
if (file) {
  await examine();
} else {
  notePromise(storage, match, promise);
}

async function examine() {
  const sealed = await fetched();
  if (!sealed) {
    pronounce("wrong", unreachableWords());
    return;
  }
  if (!globalThis.crypto?.subtle) {
    pronounce("unknown", insecureWords());
    show(sealed, null);
    return;
  }
  const noted = notedPromise(storage, match);
  const problems = await check(sealed, noted);
  if (problems.length === 0) {
    pronounce("sound", soundWords(sealed.throws.length, noted !== undefined));
  } else {
    pronounce("wrong", gettext("Do not trust these dice."), problems.map(problemWords));
  }
  if (!problems.some(({ code }) => code === "shape")) {
    show(sealed, problems);
  }
}

/** @returns {Promise<any>} the sealed file, null if it cannot be had */
async function fetched() {
  try {
    const answer = await fetch(file);
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

/**
 * @param {"sound"|"wrong"|"unknown"} verdict
 * @param {string} words
 * @param {string[]} [reasons]
 */
function pronounce(verdict, words, reasons = []) {
  const list = document.createElement("ul");
  list.className = "bullets";
  list.append(...reasons.map((reason) => Object.assign(document.createElement("li"), { textContent: reason })));
  id("verdict").dataset.verdict = verdict;
  id("verdict").classList.toggle("notice-error", verdict === "wrong");
  id("verdict-words").textContent = words;
  if (reasons.length > 0) {
    id("verdict").append(list);
  }
}

/** @param {import("./check_dice.js").Problem[]|null} problems null where nothing was checked */
function show(sealed, problems) {
  id("faces").replaceChildren(...tally(sealed.throws).map(facesTable));
  id("throws").replaceChildren(...throwsRows(sealed.throws, problems));
  id("findings").hidden = sealed.throws.length === 0;
}
