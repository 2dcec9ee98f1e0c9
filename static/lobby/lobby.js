/** The front page, kept live. */

/* global gettext, interpolate */

import { bindChat } from "../chat/chat.js";
import { bindComputerDialog } from "./computer-form.js";
import { showCounts } from "./counts.js";
import { follow, guardForms } from "../parts/forms.js";
import { keyedList } from "../parts/keyed-list.js";
import { fillMatch, fillSaved, fillTable, isMine, whyNot } from "./rows.js";
import { openLobby } from "./socket.js";
import { askPersonal, onPersonal, whenOpen } from "../net/me.js";
import { bindFilter } from "./table-filter.js";
import { bindPairing } from "./pairing.js";
import { bindTabs } from "../parts/tabs.js";
import { onWaiting } from "./waiting.js";
import { bindWatching } from "./watching.js";

const page = document.getElementById("lobby");
const title = document.title;
const me = {
  name: page.dataset.me,
  casual: page.dataset.casual,
  ratings: JSON.parse(page.dataset.ratings),
};
const tables = new Map();
const matches = new Map();
/** Tables at which I sit; when one becomes a match, I go there. */
const mine = new Set(rowIds("my-tables"));
/** My matches that were saved for later; watchers may hear of it later than I do. */
const saved = new Set(rowIds("my-saved"));
/** Matches in which it is my turn. */
let waiting = new Set();
/** Tables of this game are shown, of all for "". */
let only = "";
/** Nothing is known before the first list, and what the server made stays. */
let known = false;

const shown = {
  myTables: list("my-tables", "table-row", fillTable),
  myMatches: list("my-matches", "match-row", fillMatch),
  mySaved: list("my-saved", "saved-row", fillSaved),
  tables: list("open-tables", "table-row", fillTable),
};
const watching = bindWatching({ tab: document.getElementById("watch"), featured: document.getElementById("featured") });

function list(id, template, fill) {
  const element = document.getElementById(id);
  return keyedList(element, document.getElementById(template), (row, item) =>
    fill(row, item, me, waiting.has(item.id)),
  );
}

function rowIds(id) {
  return [...document.getElementById(id).children].map((row) => row.dataset.id);
}

function onList(message) {
  replace(tables, message.tables);
  replace(matches, message.matches);
  watching.told(message);
  message.matches.forEach((match) => goIfMine(match.table, match.id));
  known = true;
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
  if (!known) {
    return;
  }
  const [myTables, otherTables] = parted(tables, (table) => isMine(table, me));
  const [allMine, otherMatches] = parted(matches, (match) => match.players.includes(me.name));
  const myMatches = allMine.filter((match) => !saved.has(match.id));
  const shownTables = otherTables.filter((table) => only === "" || table.game === only);
  mine.clear();
  myTables.forEach((table) => mine.add(table.id));
  shown.myTables(firstThose(myTables, (table) => table.invited === me.name));
  shown.myMatches(firstThose(myMatches, (match) => waiting.has(match.id)));
  shown.tables(firstThose(shownTables, (table) => whyNot(table, me) === ""));
  watching.show([...matches.values()], otherMatches.filter((match) => match.watchable));
  document.getElementById("no-mine").hidden = myTables.length + myMatches.length > 0;
  document.getElementById("no-tables").hidden = shownTables.length > 0;
}

function showWaiting(now) {
  waiting = now;
  const badge = document.getElementById("mine-badge");
  badge.hidden = now.size === 0;
  badge.querySelector(".number").textContent = String(now.size);
  document.title = now.size ? `(${now.size}) ${title}` : title;
  show();
}

function showSaved(message) {
  saved.clear();
  message.matches.forEach((match) => saved.add(match.id));
  shown.mySaved(message.matches);
  document.getElementById("saved").hidden = saved.size === 0;
  show();
}

/** The items that pass a test before those that do not, otherwise in their order. */
function firstThose(items, test) {
  return [...items.filter(test), ...items.filter((item) => !test(item))];
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

bindTabs(document.getElementById("tabs"));
bindPairing(document.getElementById("pairing"), say);
guardForms();
bindComputerDialog(document.getElementById("computer"));
onWaiting(showWaiting);
// Tables that the lobby does not show are told to those whom they concern.
onPersonal("table", onChange);
onPersonal("table-gone", onChange);
whenOpen(() => askPersonal({ type: "saved" }));
onPersonal("saved", showSaved);
bindFilter(document.getElementById("filter"), (game) => {
  only = game;
  show();
});
const chat = bindChat(document.getElementById("chat"), me.name, () => socket);
const socket = openLobby({
  onList,
  onChange,
  onWatching: watching.told,
  onCounts: (counts) => showCounts(document.getElementById("counts"), counts),
  banner: document.getElementById("connection"),
  ...chat,
});
