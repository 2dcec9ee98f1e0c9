/** The front page, kept live. */

/* global gettext, interpolate */

import { follow, guardForms } from "./forms.js";
import { keyedList } from "./keyed-list.js";
import { fillMatch, fillTable } from "./lobby-rows.js";
import { openLobby } from "./lobby-socket.js";

const page = document.getElementById("lobby");
const me = page.dataset.me;
const tables = new Map();
const matches = new Map();
/** Tables at which I sit; when one becomes a match, I go there. */
const mine = new Set(rowIds("my-tables"));

const shown = {
  myTables: list("my-tables", "table-row", fillTable),
  myMatches: list("my-matches", "match-row", fillMatch),
  tables: list("open-tables", "table-row", fillTable),
  matches: list("matches", "match-row", fillMatch),
};

function list(id, template, fill) {
  const element = document.getElementById(id);
  return keyedList(element, document.getElementById(template), (row, item) => fill(row, item, me));
}

function rowIds(id) {
  return [...document.getElementById(id).children].map((row) => row.dataset.id);
}

function onList(message) {
  replace(tables, message.tables);
  replace(matches, message.matches);
  message.matches.forEach((match) => goIfMine(match.table, match.id));
  show();
}

function onChange(change) {
  switch (change.type) {
    case "table":
      changeTable(change.table);
      break;
    case "table-gone":
      tables.delete(change.id);
      break;
    case "match":
      putFirst(matches, change.match);
      break;
    case "match-over":
      matches.delete(change.id);
      break;
  }
  show();
}

function changeTable(table) {
  if (table.match) {
    goIfMine(table.id, table.match);
    tables.delete(table.id);
  } else if (tables.has(table.id)) {
    tables.set(table.id, table);
  } else {
    putFirst(tables, table);
    say(interpolate(gettext("%(host)s set a table: %(title)s"), table, true));
  }
}

function goIfMine(table, match) {
  if (mine.has(table)) {
    follow(`/m/${match}`);
  }
}

function show() {
  const isMyTable = (table) => table.taken.includes(me);
  const isMyMatch = (match) => match.players.includes(me);
  const [myTables, otherTables] = parted(tables, isMyTable);
  const [myMatches, otherMatches] = parted(matches, isMyMatch);
  mine.clear();
  myTables.forEach((table) => mine.add(table.id));
  shown.myTables(myTables);
  shown.myMatches(myMatches);
  shown.tables(otherTables);
  shown.matches(otherMatches);
  document.getElementById("mine").hidden = myTables.length + myMatches.length === 0;
  document.getElementById("no-tables").hidden = otherTables.length > 0;
  document.getElementById("no-matches").hidden = otherMatches.length > 0;
}

function parted(items, test) {
  const all = [...items.values()];
  return [all.filter(test), all.filter((item) => !test(item))];
}

function replace(map, items) {
  map.clear();
  items.forEach((item) => map.set(item.id, item));
}

/** The newest comes first, as in the server's list. */
function putFirst(map, item) {
  const others = [...map.values()].filter((other) => other.id !== item.id);
  replace(map, [item, ...others]);
}

function say(sentence) {
  document.getElementById("news").textContent = sentence;
}

guardForms();
openLobby({ onList, onChange, banner: document.getElementById("connection") });
