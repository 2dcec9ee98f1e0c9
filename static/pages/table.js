/** The page of one table: who sits down appears at once, and the match takes everybody along. */

/* global gettext, interpolate */

import { levelWords } from "../match/computers.js";
import { follow, guardForms } from "../parts/forms.js";
import { openLobby } from "../lobby/socket.js";
import { onPersonal } from "../net/me.js";
import { bindCopy, bindWebShare } from "../parts/share.js";

/** How often a table that the lobby does not show is looked at again; a message about it may get lost. */
const LOOK_AGAIN = 15_000;

const page = document.getElementById("table");
const id = page.dataset.table;
/** Whether there is no table any more, and the page has said so. */
let over = false;

function onList({ tables }) {
  const table = tables.find((each) => each.id === id);
  if (table) {
    show(table);
  } else {
    lookAgain();
  }
}

function onChange(change) {
  if (change.type === "table" && change.table.id === id) {
    show(change.table);
  } else if (change.type === "table-gone" && change.id === id && !over) {
    follow(location.href);
  }
}

/** The one person it was for said no: the page says so, and stays. */
function sayDeclined(message) {
  if (message.table !== id) {
    return;
  }
  over = true;
  const sentence = interpolate(gettext("%(name)s declined your challenge."), message, true);
  page.querySelector(".lead").textContent = sentence;
  page.querySelector(".columns").hidden = true;
  say(sentence);
}

function show(table) {
  if (table.match) {
    follow(`/m/${table.match}`);
    return;
  }
  for (const [number, chair] of [...document.getElementById("chairs").children].entries()) {
    const name = table.taken[number];
    const part = (named) => chair.querySelector(`[data-part="${named}"]`);
    chair.querySelector(".row-title").textContent = name ?? gettext("Free");
    part("you").hidden = !name || name !== page.dataset.me;
    chair.querySelector(".presence").toggleAttribute("data-here", name !== undefined);
    showComputer(part, name, table.levels[number] ?? null);
  }
  const add = document.getElementById("add-computer");
  if (add) {
    add.hidden = table.taken.length === table.seats;
  }
  const start = document.getElementById("start");
  if (start) {
    start.hidden = table.taken.length < Number(start.dataset.fewest);
  }
}

/** Say whether a chair is a computer's; whoever set the table can take it away. */
function showComputer(part, name, level) {
  part("computer").hidden = level === null;
  part("level").textContent = level === null ? "" : levelWords(level);
  const remove = part("remove");
  if (remove) {
    remove.hidden = level === null;
    remove.elements.name.value = name ?? "";
    remove.querySelector("button").setAttribute("aria-label", interpolate(gettext("Take %(name)s away"), { name }, true));
  }
}

/** The list holds no such table: its match may have begun, it may be cancelled, or there are too many to list. */
async function lookAgain() {
  if (over) {
    return;
  }
  const answer = await fetch(location.href, { method: "HEAD" });
  if (answer.redirected || !answer.ok) {
    follow(location.href);
  }
}

function say(sentence) {
  document.getElementById("news").textContent = sentence;
}

guardForms();
for (const invitation of document.querySelectorAll(".invitation")) {
  bindCopy(invitation, say);
  bindWebShare(invitation);
}
if ("private" in page.dataset) {
  onPersonal("table", onChange);
  onPersonal("table-gone", onChange);
  onPersonal("declined", sayDeclined);
  setInterval(lookAgain, LOOK_AGAIN);
}
openLobby({ onList, onChange, banner: document.getElementById("connection") });
