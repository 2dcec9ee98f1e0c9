import assert from "node:assert/strict";
import { test } from "node:test";

import { locale } from "../../../static/parts/locale.js";

/** @param {string} language @param {string[]} languages */
const inPage = (language, languages) => {
  globalThis.document = /** @type {any} */ ({ documentElement: { lang: language } });
  Object.defineProperty(globalThis, "navigator", { value: { languages }, configurable: true });
  return locale();
};

test("times and numbers are written in the language of the page, as the browser's owner is used to", () => {
  assert.equal(inPage("en", ["de-DE", "en-GB", "en-US"]), "en-GB");
  assert.equal(inPage("ru", ["en-GB", "en"]), "ru");
  assert.equal(inPage("et", ["et", "ru"]), "et");
  assert.equal((0.125).toLocaleString(inPage("ru", ["en-GB"]), { style: "percent", maximumFractionDigits: 1 }), "12,5\u00a0%");
});

test("outside of a page English is written", () => {
  inPage("", []);
  delete globalThis.document;
  assert.equal(locale(), "en");
});
