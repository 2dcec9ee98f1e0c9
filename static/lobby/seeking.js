/**
 * Waiting for an opponent, on every page: my seek and its result.
 *
 * The server sends it on the personal socket, at first and after changes. During the wait the page also polls, since a
 * message can be lost.
 */

import { byId, find, part } from "../parts/elements.js";
import { follow, renewToken } from "../forms/forms.js";
import { askPersonal, onPersonal } from "../net/me.js";
import { postJson } from "../net/json.js";
import { lastingStorageOrNull, read, sessionStorageOrNull, write } from "../net/storage.js";
import { offered, offerWords, playWords, reaction, waitedWords } from "./pairing-words.js";
import { listed, say } from "../words/sentences.js";

/* global gettext */

const ASK_EVERY = 5_000;
/** Storage key for all tabs: the last match I was paired for and have opened or dismissed. */
const BEEN = "parlour:paired";
/** Set in a tab that was visible while I waited. */
const LOOKED = "parlour:waited-here";

/** @typedef {FromPersonal.SeekFields & {heard: number}} Seek my seek, and when it was received */
/** @typedef {(seek: Seek|null, paired: boolean) => void} Listener `paired`: whether the search led to a match */

/** Undefined until the server has sent it. @type {Seek|null|undefined} */
let seek;
/** The match of the server's last pairing message. @type {string|null} */
let mine = null;
let ticking = 0;
let asking = 0;
/** @type {Set<Listener>} */
const listeners = new Set();

/**
 * Call `listener` with my seek as soon as it is known, and every second of the wait.
 *
 * @param {Listener} listener
 */
export function onSeek(listener) {
  listeners.add(listener);
  if (seek !== undefined) {
    listener(seek, mine !== null);
  }
}

/** The time I have waited, in words. */
export function waited() {
  return seek ? waitedWords(secondsOf(seek)) : "";
}

/** @param {Seek} seek */
const secondsOf = (seek) => seek.waited + (performance.now() - seek.heard) / 1000;

/**
 * Send a form of quick pairing.
 *
 * @param {string} address
 * @param {HTMLFormElement} form
 * @returns {Promise<string>} the error, "" if none
 */
export async function post(address, form, fields = {}) {
  renewToken(form);
  const body = new FormData(form);
  Object.entries(fields).forEach(([name, value]) => body.set(name, value));
  const { ok, told } = await postJson(address, body);
  if (ok && told) {
    learn(told);
    return "";
  }
  return told?.detail ?? gettext("Unexpected answer from the server. Please try again.");
}

/** Follow the seek, for signed-in users. */
export function bindSeeking() {
  onPersonal("hello", learn);
  onPersonal("pairing", learn);
  /** @type {HTMLFormElement|null} */
  const form = document.querySelector("#seeking form");
  form?.addEventListener("submit", (event) => {
    event.preventDefault();
    event.stopPropagation();
    if (event.submitter instanceof HTMLButtonElement && event.submitter.hasAttribute("formaction")) {
      playComputer(event.submitter.formAction, form);
    } else {
      post(form.action, form);
    }
  });
}

/** Play the offered computer player, and navigate there. @param {string} address @param {HTMLFormElement} form */
async function playComputer(address, form) {
  const wrong = await post(address, form);
  if (mine) {
    follow(addressOf(mine));
  } else {
    byId("seeking-news").textContent = wrong;
    askPersonal({ type: "pairing" });
  }
}

/** @param {Pick<FromPersonal.Hello, "seek"|"paired">} told */
function learn({ seek: told, paired }) {
  seek = told && { ...told, heard: performance.now() };
  mine = paired && paired.match;
  clearInterval(ticking);
  clearInterval(asking);
  if (seek) {
    if (isVisible()) {
      write(sessionStorageOrNull(), LOOKED, "yes");
    }
    ticking = setInterval(tell, 1000);
    asking = setInterval(() => askPersonal({ type: "pairing" }), ASK_EVERY);
  }
  tell();
  if (paired) {
    meet(paired);
  }
}

function tell() {
  showStrip();
  listeners.forEach((listener) => listener(seek ?? null, mine !== null));
}

function showStrip() {
  const strip = document.getElementById("seeking");
  if (strip) {
    const computer = seek ? offered(seek, secondsOf(seek)) : null;
    strip.hidden = !seek;
    part(strip, "game").textContent = seek?.title ?? "";
    part(strip, "waited").textContent = waited();
    showOffer(part(strip, "computer"), computer);
  }
}

/** @param {HTMLElement} button @param {FromPersonal.ComputerFields|null} computer */
function showOffer(button, computer) {
  if (button.hidden === Boolean(computer)) {
    button.hidden = !computer;
    // Announced once, when the offer appears.
    byId("seeking-news").textContent = computer ? offerWords(computer) : "";
  }
  if (computer) {
    button.textContent = playWords(computer);
  }
}

/** @param {FromPersonal.PairedFields} paired */
function meet({ match, opponents }) {
  const there = location.pathname === addressOf(match);
  if (there) {
    write(lastingStorageOrNull(), BEEN, match);
  }
  const been = read(lastingStorageOrNull(), BEEN) === match;
  const looking = isVisible() || read(sessionStorageOrNull(), LOOKED) === "yes";
  switch (reaction({ there, been, busy: isBusy(), looking })) {
    case "go":
      follow(addressOf(match));
      break;
    case "link":
      showLink({ match, opponents });
      break;
    case "later":
      document.addEventListener("visibilitychange", () => meet({ match, opponents }), { once: true });
  }
}

/** Whether I play a match on this page, or might, before the state is known. */
function isBusy() {
  const match = document.getElementById("match");
  return Boolean(match?.hasAttribute("data-in-play") || match?.hasAttribute("data-loading"));
}

/** @param {FromPersonal.PairedFields} paired */
function showLink({ match, opponents }) {
  const strip = byId("paired");
  find(strip, "a", HTMLAnchorElement).href = addressOf(match);
  part(strip, "words").textContent = say(gettext("Opponent found: %(opponent)s."), { opponent: listed(opponents) });
  part(strip, "close").onclick = () => {
    write(lastingStorageOrNull(), BEEN, match);
    strip.hidden = true;
  };
  strip.hidden = false;
}

/** @param {string} match */
const addressOf = (match) => `/m/${match}`;

const isVisible = () => document.visibilityState === "visible";
