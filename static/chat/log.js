/** A list of chat lines: rows in step with the data, with keyboard navigation. */

import { find, findAll, made, part } from "../parts/elements.js";
import { locale } from "../parts/locale.js";

/* global gettext, interpolate */

/** A reader who has scrolled up by more pixels than this is not scrolled to new lines. */
const NEAR_END = 60;

/**
 * @template {import("./lines.js").Line} L
 * @param {HTMLElement} log
 * @param {object} way
 * @param {HTMLTemplateElement} way.template of a row
 * @param {string} way.me my name, "" for a visitor
 * @param {(line: L) => void} way.openPerson
 * @param {(line: L) => string} [way.wordsOf] the text of a line
 * @param {(line: L) => string} [way.nameOf] what its author is called
 * @returns {(lines: L[]) => void} shows these, oldest first
 */
export function bindLog(log, { template, me, openPerson, wordsOf = (line) => line.text, nameOf = (line) => line.name }) {
  /** @type {Map<number, Row>} */
  const rows = new Map();

  /** @typedef {{element: HTMLElement, line: L|null}} Row an element, and the line it shows */

  /** @param {L} line @returns {Row} */
  function create(line) {
    const element = made(template);
    const button = find(element, "button");
    const time = find(element, "time", HTMLTimeElement);
    button.addEventListener("click", () => openPerson(rows.get(line.id)?.line ?? line));
    button.hidden = line.name === me;
    time.dateTime = line.at;
    time.textContent = clockTime(new Date(line.at), new Date());
    part(element, "text").textContent = wordsOf(line);
    return { element, line: null };
  }

  /** @param {Row} row @param {L} line */
  function fill(row, line) {
    if (row.line?.name !== line.name) {
      const name = nameOf(line);
      part(row.element, "name").textContent = name;
      find(row.element, "button").setAttribute("aria-label", interpolate(gettext("About %(name)s"), { name }, true));
    }
    row.line = line;
  }

  /** Whether the list is scrolled to its end: it stays there when it grows, and when its box shrinks. */
  let atEnd = true;
  const stay = () => {
    if (atEnd) {
      log.scrollTop = log.scrollHeight;
    }
  };
  /** The last size: a resized box scrolls by itself, without its reader. */
  let known = "";
  const size = () => `${log.clientWidth} ${log.clientHeight}`;
  log.addEventListener("scroll", () => {
    if (size() === known) {
      atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < NEAR_END;
    }
  });
  new ResizeObserver(() => {
    known = size();
    stay();
  }).observe(log);
  log.addEventListener("keydown", (event) => walk(log, event));
  return function show(lines) {
    const wanted = new Set(lines.map((line) => line.id));
    for (const [id, { element }] of rows) {
      if (!wanted.has(id)) {
        if (element.contains(document.activeElement)) {
          log.focus();
        }
        element.remove();
        rows.delete(id);
      }
    }
    lines.forEach((line, place) => {
      const row = rows.get(line.id) ?? create(line);
      rows.set(line.id, row);
      fill(row, line);
      if (log.children[place] !== row.element) {
        log.insertBefore(row.element, log.children[place] ?? null);
      }
    });
    oneTabStop(log);
    stay();
  };
}

/**
 * The time of day in the reader's locale, with the date if it is not today.
 *
 * @param {Date} at
 * @param {Date} now
 */
function clockTime(at, now) {
  const today = at.toDateString() === now.toDateString();
  return at.toLocaleTimeString(locale(), { weekday: today ? undefined : "short", hour: "2-digit", minute: "2-digit" });
}

/** @param {HTMLElement} log */
const buttonsOf = (log) => findAll(log, "button:not([hidden])");

/** Fifty buttons are one tab stop: the focused one, else the newest. @param {HTMLElement} log */
function oneTabStop(log) {
  const buttons = buttonsOf(log);
  const stop = buttons.find((button) => button === document.activeElement) ?? buttons.at(-1);
  buttons.forEach((button) => {
    button.tabIndex = button === stop ? 0 : -1;
  });
}

/** Arrow keys move from line to line. @param {HTMLElement} log @param {KeyboardEvent} event */
function walk(log, event) {
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  const buttons = buttonsOf(log);
  const from = buttons.findIndex((button) => button === document.activeElement);
  if (step && from >= 0) {
    event.preventDefault();
    buttons[from + step]?.focus();
    oneTabStop(log);
  }
}
