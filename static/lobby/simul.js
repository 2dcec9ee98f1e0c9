/**
 * The boards of the host of a simul, on the page of one of them. Those that wait come first, in the order in which they
 * began to wait. After a move here the next one opens by itself, or as soon as one waits.
 */

import { createBoards } from "../board/boards-on-show.js";
import { resultWords } from "../board/miniboard.js";
import { readList, sessionStorageOrNull, writeJson } from "../net/storage.js";
import { byId, find, findAll, part } from "../parts/elements.js";
import { bindKeys } from "../parts/shortcuts.js";
import { bindTimeLeft } from "./time-left.js";
import { follow } from "./tournament-live.js";
import { onWaiting } from "./waiting.js";

/* global gettext, interpolate, ngettext */

/** Aspect ratio of a board's space, as in miniboard.css. */
const ASPECT = 4 / 3;
/** The end of the address of a board that the host only looks at. */
const LOOK = "#look";
const NEXT = "n";
/** How often the page asks for the result so far, in milliseconds. */
const ASK = 8_000;

/**
 * @param {string[]} before the boards that waited, the longest wait first
 * @param {ReadonlySet<string>} waiting those that wait now
 * @param {string[]} all the boards, by number
 * @returns {string[]} those that wait now, the longest wait first
 */
export function queued(before, waiting, all) {
  const still = before.filter((id) => waiting.has(id) && all.includes(id));
  return [...still, ...all.filter((id) => waiting.has(id) && !still.includes(id))];
}

/** @param {HTMLElement} root templates/tournaments/_hosted.html */
export function bindSimul(root) {
  const { match = "", game = "", board = "" } = byId("match").dataset;
  const [storage, key] = [sessionStorageOrNull(), `simul-${root.dataset.tournament}`];
  const list = find(root, "ol");
  const rows = new Map(findAll(list, ":scope > [data-id]").map((row) => [row.dataset.id ?? "", row]));
  const numbers = [...rows].sort(([, one], [, other]) => Number(one.dataset.number) - Number(other.dataset.number));
  const all = [...numbers.map(([id]) => id), match];
  const next = part(root, "next", HTMLAnchorElement);
  /** The boards that wait, the longest wait first. @type {string[]} */
  let queue = [];
  let mine = false;
  /** Whether the host is to go on as soon as a board waits. */
  let done = location.hash !== LOOK;

  const boards = createBoards({ modules: { [game]: board }, onShown });
  rows.forEach((row, id) => boards.put(part(row, "art"), id, ASPECT));
  bindTimeLeft(list);
  onWaiting(show);
  follow(root, root.dataset.asks ?? "", ASK);
  bindKeys([(pressed) => pressed.toLowerCase() === NEXT && onward()]);

  /** @param {Set<string>} waiting */
  function show(waiting) {
    const here = waiting.has(match);
    done ||= mine && !here;
    mine = here;
    const known = queue.length > 0 ? queue : readList(storage, key);
    queue = queued(known, waiting, all);
    writeJson(storage, key, queue);
    const others = queue.filter((id) => id !== match);
    order(others);
    part(root, "count").textContent = countWords(others.length);
    next.hidden = others.length === 0;
    if (!here && done && !isBusy()) {
      onward();
    }
  }

  /** @param {string[]} waiting */
  function order(waiting) {
    for (const [id, row] of rows) {
      row.toggleAttribute("data-waits", waiting.includes(id));
      part(row, "link", HTMLAnchorElement).hash = waiting.includes(id) ? "" : LOOK;
      if (!row.hasAttribute("data-over")) {
        part(row, "state").textContent = waiting.includes(id) ? gettext("Your turn") : gettext("Their turn");
      }
    }
    const rest = numbers.filter(([id]) => !waiting.includes(id)).map(([, row]) => row);
    const over = rest.filter((row) => row.hasAttribute("data-over"));
    const wanted = [...waiting.map((id) => rows.get(id)), ...rest.filter((row) => !over.includes(row)), ...over];
    wanted.forEach((row, place) => {
      if (row && list.children[place] !== row) {
        list.insertBefore(row, list.children[place] ?? null);
      }
    });
    const [first] = waiting;
    if (first) {
      next.href = `/m/${first}`;
    }
  }

  /** @returns {boolean} whether another board waits */
  function onward() {
    const waits = queue.some((id) => id !== match);
    if (waits) {
      location.assign(next.href);
    }
    return waits;
  }

  /** @param {import("../board/miniboard.js").Shown} shown */
  function onShown(shown) {
    const row = rows.get(shown.match.id);
    const words = resultWords(shown);
    if (row && words) {
      row.setAttribute("data-over", "");
      part(row, "state").textContent = words;
    }
  }
}

/** Whether the host is writing or reading something that another page would take away. */
function isBusy() {
  const field = document.activeElement;
  const writes = (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) && field.value !== "";
  return writes || document.querySelector("dialog[open]") !== null;
}

/** @param {number} count of the other boards that wait */
function countWords(count) {
  return count === 0
    ? gettext("No other board is waiting.")
    : interpolate(ngettext("%(count)s board waits", "%(count)s boards wait", count), { count }, true);
}
