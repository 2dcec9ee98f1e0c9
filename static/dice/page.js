/** The page "Check the dice": fetches the sealed file, recomputes every throw, shows the result. */

import { byId } from "../parts/elements.js";
import { check } from "./check_dice.js";
import { facesTable, throwsRows } from "./tables.js";
import { insecureWords, problemWords, soundWords, unreachableWords } from "./words.js";
import { tally } from "./faces.js";
import { notePromise, notedPromise } from "./promise.js";
import { getJson } from "../net/json.js";
import { lastingStorageOrNull } from "../net/storage.js";
import { bindCopy } from "../parts/share.js";

/* global gettext */

const { match = "", promise = "", file } = byId("dice").dataset;
const storage = lastingStorageOrNull();

bindCopy(byId("promise"), (words) => {
  byId("said").textContent = words;
});
if (file) {
  await examine(file);
} else {
  notePromise(storage, match, promise);
}

/** @param {string} file its address */
async function examine(file) {
  const sealed = await fetched(file);
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

/**
 * @param {string} file
 * @returns {Promise<any>} the sealed file, unchecked; null if it cannot be fetched
 */
async function fetched(file) {
  const { ok, told } = await getJson(file);
  return ok ? told : null;
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
  byId("verdict").dataset.verdict = verdict;
  byId("verdict").classList.toggle("notice-error", verdict === "wrong");
  byId("verdict-words").textContent = words;
  if (reasons.length > 0) {
    byId("verdict").append(list);
  }
}

/**
 * @param {import("./check_dice.js").Problem[]|null} problems null if nothing was checked
 * @param {import("./check_dice.js").Sealed} sealed
 */
function show(sealed, problems) {
  byId("faces").replaceChildren(...tally(sealed.throws).map(facesTable));
  byId("throws").replaceChildren(...throwsRows(sealed.throws, problems));
  byId("findings").hidden = sealed.throws.length === 0;
}
