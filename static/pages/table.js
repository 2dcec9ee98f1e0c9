/** The page of one table: seats update live, and all players follow to the match. */

/* global gettext, interpolate */

import "./page.js";
import { byId, find, findAll, part } from "../parts/elements.js";
import { levelWords } from "../match/computers.js";
import { follow, guardForms } from "../forms/forms.js";
import { openLobby } from "../lobby/socket.js";
import { onPersonal } from "../net/me.js";
import { lastingStorageOrNull } from "../net/storage.js";
import { bindIntroductions } from "../parts/introduced.js";
import { bindCopy } from "../parts/share.js";
import { signal } from "../parts/signals.js";

/** How often an unlisted table is polled, in milliseconds; a message about it may get lost. */
const LOOK_AGAIN = 15_000;

const page = byId("table");
const id = page.dataset.table;
/** The address of the table. The address bar may show the invitation, since people copy that. */
const { address = "" } = page.dataset;
/** Taken seats, once the server has sent them. @type {number|null} */
let taken = null;
/** Whether the table is gone and the page says so. */
let over = false;

/** @param {FromLobby.Lobby} lobby */
function onList({ tables }) {
  const table = tables.find((each) => each.id === id);
  if (table) {
    show(table);
  } else {
    lookAgain();
  }
}

/** @param {import("../lobby/news.js").Change|FromPersonal.MyTable|FromPersonal.MyTableGone} change */
function onChange(change) {
  if (change.type === "table" && change.table.id === id) {
    show(change.table);
  } else if (change.type === "table-gone" && change.id === id && !over) {
    // A private match may have begun: the table's address redirects its players only.
    follow(address);
  }
}

/** The challenged user declined: the page says so, and stays. @param {FromPersonal.Declined} message */
function sayDeclined(message) {
  if (message.table !== id) {
    return;
  }
  over = true;
  const sentence = interpolate(gettext("%(name)s declined your challenge."), message, true);
  find(page, ".lead").textContent = sentence;
  find(page, ".columns").hidden = true;
  say(sentence);
}

/** @param {FromLobby.TableFields} table */
function show(table) {
  const others = table.taken.slice(taken ?? table.taken.length).filter((name) => name !== page.dataset.me);
  if (others.length > 0) {
    signal("knock");
  }
  taken = table.taken.length;
  if (table.match) {
    follow(`/m/${table.match}`);
    return;
  }
  for (const [number, chair] of [...byId("chairs").children].entries()) {
    const name = table.taken[number];
    find(chair, ".row-title").textContent = name ?? gettext("Free");
    part(chair, "you").hidden = !name || name !== page.dataset.me;
    find(chair, ".presence").toggleAttribute("data-here", name !== undefined);
    showComputer(chair, name, table.levels[number] ?? null);
  }
  const add = document.getElementById("add-computer");
  if (add) {
    const free = table.seats - table.taken.length;
    add.hidden = free === 0;
    if (table.seats > 2) {
      part(add, "fill").hidden = free === 1;
    }
  }
  const start = document.getElementById("start");
  if (start) {
    start.hidden = table.taken.length < Number(start.dataset.fewest);
  }
}

/**
 * Mark a seat as a computer player's; the host of the table can remove it.
 *
 * @param {Element} chair
 * @param {string|undefined} name
 * @param {number|null} level
 */
function showComputer(chair, name, level) {
  part(chair, "computer").hidden = level === null;
  part(chair, "level").textContent = level === null ? "" : levelWords(level);
  const remove = chair.querySelector('[data-part="remove"]');
  if (remove instanceof HTMLFormElement) {
    remove.hidden = level === null;
    find(remove, "[name=name]", HTMLInputElement).value = name ?? "";
    find(remove, "button").setAttribute("aria-label", interpolate(gettext("Remove %(name)s"), { name }, true));
  }
}

/** The list lacks this table: its match may have begun, it may be cancelled, or the list is full. */
async function lookAgain() {
  if (over) {
    return;
  }
  const answer = await fetch(address, { method: "HEAD" });
  if (answer.redirected || !answer.ok) {
    follow(address);
  }
}

/** @param {string} sentence */
function say(sentence) {
  byId("news").textContent = sentence;
}

if (page.dataset.invitation) {
  history.replaceState(history.state, "", page.dataset.invitation);
}
guardForms();
bindIntroductions(document, lastingStorageOrNull());
for (const invitation of findAll(document, ".invitation")) {
  bindCopy(invitation, say);
}
if ("private" in page.dataset) {
  onPersonal("table", onChange);
  onPersonal("table-gone", onChange);
  onPersonal("declined", sayDeclined);
  setInterval(lookAgain, LOOK_AGAIN);
}
openLobby({ onList, onChange, banner: byId("connection") });
