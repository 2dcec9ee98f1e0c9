/** What a player can do beside moving, as buttons: those that can succeed now, and a sentence where one is asked. */

import { PATIENCE, absence, countdown } from "../match/absence.js";
import { choices, commandFor } from "../match/choices.js";
import { rematchLook } from "../match/rematch.js";
import { bindResign } from "./resign.js";

/** Milliseconds in which nobody can have read a question: a press in them was meant for what stood there before. */
const TOO_QUICK = 400;

/** Keys that answer a question. */
const KEYS = { y: "accept", n: "decline" };

/**
 * @param {HTMLElement} root holds a sentence, a countdown, and in [data-place] the buttons by [data-choice]
 * @param {object} way
 * @param {() => number} way.now the server's time
 * @param {(fields: {type: string, kind?: string}) => void} way.onCommand
 * @param {() => void} way.onFlip
 * @param {(sentence: string) => void} way.say
 * @param {() => void} way.onAsked somebody waits for an answer of mine
 * @param {() => void} way.onLapsed nobody has answered what I offered
 * @param {(match: string) => string} way.addressOf
 */
export function createActions(root, way) {
  const words = root.querySelector("[data-words]");
  const timer = root.querySelector("[role=timer]");
  const rows = [...root.querySelectorAll("[data-place=row]")];
  const buttons = [...root.querySelectorAll("[data-choice]")];
  const find = (choice) => buttons.find((button) => button.dataset.choice === choice);
  const resign = bindResign(find("resign"), { onResign: () => way.onCommand({ type: "resign" }), say: way.say });
  /** @type {import("../match/store.js").Store} */
  let store;
  let shown = null;
  let patience = null;
  let ticking = 0;

  root.addEventListener("click", (event) => {
    const choice = event.target.closest("[data-choice]")?.dataset.choice;
    if (choice && choice !== "more") {
      closeMenu(event.target);
      choose(choice);
    }
  });

  function choose(choice) {
    const command = commandFor(choice, shown);
    if (command) {
      way.onCommand(command);
    } else if (choice === "flip") {
      way.onFlip();
    } else if (choice === "wait") {
      patience = { since: absence(store)?.since, until: way.now() + PATIENCE };
      update(store);
    }
  }

  /** @param {import("../match/store.js").Store} now */
  function update(now) {
    clearTimeout(ticking);
    store = now;
    const before = shown;
    shown = choices(store, way.now(), patience);
    const focused = root.contains(document.activeElement);
    dress();
    if (before && shown.news && key(shown) !== key(before)) {
      announce();
    }
    if (before?.about === "asking" && shown.about !== "asking" && before.offer.until <= way.now()) {
      way.onLapsed();
    }
    if (focused && document.activeElement.offsetParent === null) {
      refocus();
    }
    if (shown.next < Infinity) {
      ticking = setTimeout(() => update(store), shown.next);
    }
  }

  function dress() {
    buttons.forEach((button) => {
      button.hidden = !shown[button.closest("[data-place]").dataset.place].includes(button.dataset.choice);
    });
    words.hidden = shown.words === "";
    write(words, shown.words);
    timer.hidden = shown.left === null;
    write(timer, shown.left === null ? "" : countdown(shown.left));
    dressRematch();
  }

  function dressRematch() {
    const { button, link, glow } = rematchLook(store);
    const [rematch, follow] = [find("rematch"), find("rematch-link")];
    write(rematch, button ?? "");
    rematch.classList.toggle("button-glow", glow);
    if (link) {
      follow.href = way.addressOf(store.rematch);
    }
  }

  /** A question has come up where other buttons stood. */
  function announce() {
    way.say(shown.news);
    if (shown.row.includes("accept")) {
      way.onAsked();
    }
    rows.forEach((row) => {
      row.inert = true;
      setTimeout(() => {
        row.inert = false;
      }, TOO_QUICK);
    });
  }

  /** The button that had the focus is gone; the next press of Enter must not be for another. */
  function refocus() {
    (shown.words ? words : buttons.find((button) => button.offsetParent !== null))?.focus();
  }

  return {
    update,
    resign,
    /** @returns {import("../match/choices.js").Choices} what can be chosen now */
    shown: () => shown,
    /** @returns {boolean} whether a key answers a question, which it then did */
    hotkey(pressed) {
      const choice = KEYS[pressed];
      const open = choice !== undefined && shown?.row.includes(choice) && !rows.some((row) => row.inert);
      if (open) {
        choose(choice);
      }
      return open;
    },
  };
}

/** What tells one question from the next, whatever the countdown in it says. */
const key = ({ about, offer }) => `${about} ${offer?.kind} ${offer?.by}`;

function closeMenu(target) {
  const menu = target.closest("details.menu");
  if (menu) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
}

/** Set words only where they differ, so that a sentence being read is left alone. */
function write(element, words) {
  if (element.textContent !== words) {
    element.textContent = words;
  }
}
