/**
 * User settings: stored in localStorage, with listeners in every tab. Accounts store them too (settings-form.js), and
 * theme.js copies them here on every page.
 */

import { lastingStorageOrNull, readJson, writeJson } from "../net/storage.js";

/** @typedef {keyof typeof SETTINGS} Name */

/** The values of every setting; the first is the default. lobby/people/preferences.py has the same list. */
export const SETTINGS = Object.freeze(/** @type {const} */ ({
  theme: ["system", "light", "dark"],
  board: ["wood", "paper", "contrast"],
  speed: ["normal", "slow", "fast", "off"],
  sound: ["on", "off"],
  volume: ["normal", "soft", "loud"],
  vibration: ["on", "off"],
  confirm: ["off", "on"],
  premove: ["on", "off"],
  awake: ["on", "off"],
  typing: ["off", "on"],
  pits: ["auto", "round", "side"],
  coordinates: ["auto", "on", "off"],
  keys: ["on", "off"],
  challenges: ["everyone", "followed", "nobody"],
  chat: ["everyone", "followed", "nobody"],
  messages: ["known", "everyone", "nobody"],
  online: ["listed", "hidden"],
}));

const PREFIX = "parlour:";

/** Values that were renamed since they were stored. @type {Record<string, Record<string, string>>} */
const RENAMED = { board: { slate: "paper" } };

/** @type {Set<(name: Name, value: string) => void>} */
const listeners = new Set();

/** @param {string} name @returns {name is Name} */
export function isName(name) {
  return name in SETTINGS;
}

/**
 * @template {Name} N
 * @param {N} name
 * @returns {typeof SETTINGS[N][number]} the stored value, or the default if it is missing or invalid
 */
export function setting(name) {
  /** @type {readonly (typeof SETTINGS[N][number])[]} */
  const known = SETTINGS[name];
  const kept = readJson(lastingStorageOrNull(), PREFIX + name);
  /** @type {any} */
  const stored = RENAMED[name]?.[kept] ?? kept;
  return known.includes(stored) ? stored : known[0];
}

/**
 * @param {Name} name
 * @param {string} value one of SETTINGS[name]
 */
export function change(name, value) {
  // Without storage it holds until the page is left.
  writeJson(lastingStorageOrNull(), PREFIX + name, value);
  tell(name, value);
}

/**
 * @param {(name: Name, value: string) => void} listener
 * @returns {() => void} stop listening
 */
export function onChange(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether the tab is hidden, or motion is reduced. */
export function isStill() {
  return document.hidden || setting("speed") === "off" || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Apply the theme; `system` leaves it to the browser. @param {string} value */
export function applyTheme(value, root = document.documentElement) {
  if (value === "system") {
    delete root.dataset.theme;
  } else {
    root.dataset.theme = value;
  }
}

/** Apply the board colours. @param {string} value */
export function applyBoard(value, root = document.documentElement) {
  root.dataset.board = value;
}

/** Apply which places of the boards are named. @param {string} value */
export function applyCoordinates(value, root = document.documentElement) {
  root.dataset.coordinates = value;
}

/** Apply the animation speed to the page. @param {string} value */
export function applySpeed(value, root = document.documentElement) {
  root.dataset.speed = value;
}

/** @param {Name} name @param {string} value */
function tell(name, value) {
  for (const listener of listeners) {
    listener(name, value);
  }
}

if (typeof addEventListener === "function") {
  addEventListener("storage", (event) => {
    const name = event.key?.startsWith(PREFIX) ? event.key.slice(PREFIX.length) : "";
    if (isName(name)) {
      tell(name, setting(name));
    }
  });
}
