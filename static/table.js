/** The page of one table: who sits down appears at once, and the match takes everybody along. */

/* global gettext */

import { follow, guardForms } from "./forms.js";
import { openLobby } from "./lobby-socket.js";
import { bindShare } from "./share.js";

const page = document.getElementById("table");
const id = page.dataset.table;

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
  } else if (change.type === "table-gone" && change.id === id) {
    follow(location.href);
  }
}

function show(table) {
  if (table.match) {
    follow(`/m/${table.match}`);
    return;
  }
  for (const [number, chair] of [...document.getElementById("chairs").children].entries()) {
    const name = table.taken[number];
    chair.querySelector(".row-title").textContent = name ?? gettext("Free");
    chair.querySelector(".badge").hidden = !name || name !== page.dataset.me;
    chair.querySelector(".presence").toggleAttribute("data-here", name !== undefined);
  }
  const start = document.getElementById("start");
  if (start) {
    start.hidden = table.taken.length < Number(start.dataset.fewest);
  }
}

/** The list holds no such table: its match may have begun, it may be cancelled, or there are too many to list. */
async function lookAgain() {
  const answer = await fetch(location.href, { method: "HEAD" });
  if (answer.redirected || !answer.ok) {
    follow(location.href);
  }
}

function say(sentence) {
  document.getElementById("news").textContent = sentence;
}

guardForms();
bindShare(document.getElementById("share"), say);
openLobby({ onList, onChange, banner: document.getElementById("connection") });
