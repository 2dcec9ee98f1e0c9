/** The player's action buttons besides moves: those that can succeed now, and a sentence for questions. */

import { PATIENCE, absence, countdown, idleSince } from "../match/absence.js";
import { choices, commandFor } from "../match/choices.js";
import { rematchLook } from "../match/rematch.js";
import { around, find, findAll } from "../parts/elements.js";
import { bindTwoPresses } from "./two-presses.js";

/* global gettext */

/** Milliseconds in which nobody can have read a question: a press in them was meant for the previous button. */
const TOO_QUICK = 400;

/** Keys that answer a question. @type {ReadonlyMap<string, string>} */
const KEYS = new Map([["y", "accept"], ["n", "decline"]]);

/** @typedef {import("../match/choices.js").Choices} Choices */

/**
 * @param {HTMLElement} root holds the actions, a sentence and a countdown among them, and in [data-place] the buttons
 *   by [data-choice]
 * @param {object} way
 * @param {() => number} way.now the server's time
 * @param {(command: Commands.Choice) => void} way.onCommand
 * @param {() => void} way.onFlip
 * @param {(sentence: string) => void} way.say
 * @param {() => void} way.onAsked a player waits for my answer
 * @param {() => void} way.onLapsed my offer expired
 * @param {(match: string) => string} way.addressOf
 */
export function createActions(root, way) {
  const actions = find(root, "[data-about]");
  const words = find(actions, "[data-words]");
  const timer = find(actions, "[role=timer]");
  const rows = findAll(root, "[data-place=row]");
  const buttons = findAll(root, "[data-choice]").map((button) => {
    const { choice = "" } = button.dataset;
    return { button, choice, place: placeOf(button) };
  });
  // The match of a tournament has none.
  const rematch = findAll(root, "[data-choice=rematch]").at(0);
  const follow = findAll(root, "[data-choice=rematch-link]", HTMLAnchorElement).at(0);
  const resign = bindTwoPresses(findAll(root, "[data-choice=resign]"), {
    onSure: () => way.onCommand({ type: "resign" }),
    say: way.say,
    again: gettext("Press again to resign."),
  });
  // In a hot-seat match no other player is asked.
  const ends = ["draw", "end"].map((choice) =>
    bindTwoPresses(findAll(root, `[data-choice=${choice}][data-sure]`), {
      onSure: () => choose(choice),
      say: way.say,
      again: gettext("Press again to end the match."),
    }),
  );
  /** @type {{store: import("../match/store.js").Known, shown: Choices}|null} the last update */
  let seen = null;
  /** @type {import("../match/choices.js").Patience|null} */
  let patience = null;
  let ticking = 0;

  root.addEventListener("click", (event) => {
    const button = around(event, "[data-choice]");
    const choice = button?.dataset.choice;
    if (button && choice && !button.dataset.sure) {
      closeMenu(button);
      choose(choice);
    }
  });

  /** @param {string} choice */
  function choose(choice) {
    if (!seen) {
      return;
    }
    const { store, shown } = seen;
    const command = commandFor(choice, shown);
    if (command) {
      way.onCommand(command);
    } else if (choice === "flip") {
      way.onFlip();
    } else if (choice === "wait") {
      const now = way.now();
      const since = idleSince(store, now) ?? absence(store)?.since;
      patience = since === undefined ? null : { since, until: now + PATIENCE };
      update(store);
    }
  }

  /** @param {import("../match/store.js").Known} store */
  function update(store) {
    clearTimeout(ticking);
    const before = seen?.shown;
    const shown = choices(store, way.now(), patience);
    seen = { store, shown };
    const focused = Boolean(document.activeElement?.closest("[data-place]"));
    dress(shown);
    dressRematch(store);
    if (before && shown.news && key(shown) !== key(before)) {
      announce(shown);
    }
    if (before?.about === "asking" && before.offer && shown.about !== "asking" && before.offer.until <= way.now()) {
      way.onLapsed();
    }
    const active = document.activeElement;
    if (focused && active instanceof HTMLElement && active.offsetParent === null) {
      refocus(shown);
    }
    if (shown.next < Infinity) {
      ticking = setTimeout(() => update(store), shown.next);
    }
  }

  /** @param {Choices} shown */
  function dress(shown) {
    actions.dataset.about = shown.about;
    buttons.forEach(({ button, choice, place }) => {
      button.hidden = !shown[place].includes(choice);
      button.toggleAttribute("data-beside", [...shown.beside, ...shown.row].includes(choice));
    });
    words.hidden = shown.words === "";
    write(words, shown.words);
    timer.hidden = shown.left === null;
    write(timer, shown.left === null ? "" : countdown(shown.left));
  }

  /** @param {import("../match/store.js").Known} store */
  function dressRematch(store) {
    if (!rematch || !follow) {
      return;
    }
    const { button, link, glow } = rematchLook(store);
    write(rematch, button ?? "");
    rematch.classList.toggle("button-glow", glow);
    if (link && store.rematch !== null) {
      follow.href = way.addressOf(store.rematch);
    }
  }

  /** A question replaced other buttons. @param {Choices} shown */
  function announce(shown) {
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

  /** The focused button is gone; the next Enter must not press another one. @param {Choices} shown */
  function refocus(shown) {
    (shown.words ? words : buttons.find(({ button }) => button.offsetParent !== null)?.button)?.focus();
  }

  return {
    update,
    resign,
    /** Forget first presses: they were about another position. */
    reset: () => [resign, ...ends].forEach((each) => each.reset()),
    /** @param {string} pressed @returns {boolean} whether the key answered a question */
    hotkey(pressed) {
      const choice = KEYS.get(pressed);
      if (choice === undefined || !seen?.shown.row.includes(choice) || rows.some((row) => row.inert)) {
        return false;
      }
      choose(choice);
      return true;
    },
  };
}

/** Identifies a question, regardless of its countdown. @param {Choices} shown */
const key = ({ about, offer }) => `${about} ${offer?.kind} ${offer?.by}`;

/** @type {readonly ("beside"|"row"|"menu"|"end")[]} */
const PLACES = ["beside", "row", "menu", "end"];

/** The group of choices that a button is in. @param {HTMLElement} button */
function placeOf(button) {
  const place = button.closest("[data-place]")?.getAttribute("data-place");
  return PLACES.find((known) => known === place) ?? "row";
}

/** @param {HTMLElement} button */
function closeMenu(button) {
  button.closest("dialog")?.close();
}

/**
 * Set text only if it differs, so that screen readers do not repeat it.
 *
 * @param {HTMLElement} element
 * @param {string} words
 */
function write(element, words) {
  if (element.textContent !== words) {
    element.textContent = words;
  }
}
