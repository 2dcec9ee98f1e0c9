/** The front page, updated live. */

/* global gettext, interpolate */

import { byId, find, findAll, part } from "../parts/elements.js";
import { bindChat } from "../chat/chat.js";
import { showCounts } from "./counts.js";
import { follow, guardForms } from "../forms/forms.js";
import { keyedList } from "../parts/keyed-list.js";
import { fillMatch, fillSaved, fillTable, isMine, plays, whyNot } from "./rows.js";
import { fillSeekers, peopleWaiting, seekersBeside } from "./seekers.js";
import { onSeek } from "./seeking.js";
import { setting } from "../parts/settings.js";
import { bindSheets } from "../parts/sheets.js";
import { openLobby } from "./socket.js";
import { bindFinished } from "./finished.js";
import { askPersonal, onPersonal, whenOpen } from "../net/me.js";
import { bindFilter } from "./table-filter.js";
import { bindPairing } from "./pairing.js";
import { tileName } from "./pairing-words.js";
import { bindTimeLeft } from "./time-left.js";
import { onWaiting } from "./waiting.js";
import { bindWatching } from "./watching.js";

/** Aspect ratio of a board in a row, as in front.css. */
const THUMBNAIL = 4 / 3;
/** Maximum matches that the page begins with, as on the server. */
const TURNS = 2;

const page = byId("lobby");
const title = document.title;
/** @type {import("./rows.js").Me} */
const me = {
  name: page.dataset.me ?? "",
  casual: page.dataset.casual ?? "",
  ratings: JSON.parse(page.dataset.ratings ?? "{}"),
};
/** @type {Map<string, FromLobby.TableFields>} */
const tables = new Map();
/** @type {Map<string, FromLobby.MatchFields>} */
const matches = new Map();
/** Tables at which I sit; the page follows one to its match. */
const mine = new Set(me.name ? rowIds("my-tables") : []);
/** My saved matches; spectators may hear of them later. */
const saved = new Set(me.name ? rowIds("my-saved") : []);
/** Matches in which it is my turn. @type {ReadonlySet<string>} */
let waiting = new Set();
/** False until the first message about turns; until then the server's rows stay. */
let turnsKnown = false;
/** The game whose tables are shown; "" for all. */
let only = "";
/** Open seeks, and mine. @type {{all: FromLobby.SeekersFields[], mine: FromPersonal.SeekFields|null}} */
const seeks = { all: [], mine: null };
/** False until the first list; until then the server's rows stay. */
let known = false;

const shown = {
  seeks: list("open-seeks", "seek-row", fillSeekers),
  tables: list("open-tables", "table-row", fillTable),
};
/** The matches that the page begins with; it does, if one waited for me. */
const turns = document.getElementById("turn") && list("turn-matches", "match-row", fillMyMatch);
/** Visitors without a name have none of these lists. */
const shownMine = me.name
  ? {
      tables: list("my-tables", "table-row", fillTable),
      matches: list("my-matches", "match-row", fillMyMatch),
      saved: list("my-saved", "saved-row", fillSaved),
    }
  : null;
const showFinished = bindFinished(me.name ? rowIds("my-matches") : []);
const watching = bindWatching({ section: byId("watch"), tiles: byId("tiles") });

/**
 * @template {{id: string}} Item
 * @param {string} id
 * @param {string} template
 * @param {(row: HTMLElement, item: Item, me: import("./rows.js").Me, waits: boolean) => void} fill
 */
function list(id, template, fill) {
  /** @type {(row: HTMLElement, item: Item) => void} */
  const fillFor = (row, item) => fill(row, item, me, waiting.has(item.id));
  return keyedList(byId(id), byId(template, HTMLTemplateElement), fillFor);
}

/** @type {typeof fillMatch} */
function fillMyMatch(row, match, ...rest) {
  fillMatch(row, match, ...rest);
  if (match.watchable) {
    watching.boards.put(part(row, "art"), match.id, THUMBNAIL);
  }
}

/** @param {string} id */
function rowIds(id) {
  return findAll(byId(id), ":scope > [data-id]").map((row) => row.dataset.id ?? "");
}

/** @param {FromLobby.Lobby} message */
function onList(message) {
  replace(tables, message.tables);
  replace(matches, message.matches);
  watching.told(message);
  message.matches.forEach((match) => goIfMine(match.table, match.id));
  known = true;
  show();
}

/** @param {import("./news.js").Change|FromPersonal.MyTable|FromPersonal.MyTableGone|FromPersonal.MyMatch|FromPersonal.MyMatchOver} change */
function onChange(change) {
  switch (change.type) {
    case "table":
      changeTable(change.table);
      break;
    case "table-gone":
      if (change.begun && mine.has(change.id)) {
        // A match for its players alone: the table's address redirects them.
        follow(`/t/${change.id}`);
      }
      tables.delete(change.id);
      break;
    case "match":
      putFirst(matches, change.match);
      break;
    case "matches":
      change.matches.reverse().forEach((match) => putFirst(matches, match));
      break;
    case "match-over":
      matches.delete(change.id);
      break;
  }
  show();
}

/** @param {FromLobby.TableFields} table */
function changeTable(table) {
  if (table.match) {
    goIfMine(table.id, table.match);
    tables.delete(table.id);
  } else if (tables.has(table.id)) {
    tables.set(table.id, table);
  } else {
    putFirst(tables, table);
    say(interpolate(gettext("%(host)s created a table: %(title)s"), table, true));
  }
}

/** @param {string|null} table @param {string} match */
function goIfMine(table, match) {
  if (table !== null && mine.has(table)) {
    follow(`/m/${match}`);
  }
}

function show() {
  if (!known) {
    return;
  }
  const [myTables, otherTables] = parted(tables, (table) => isMine(table, me));
  const [allMine, otherMatches] = parted(matches, (match) => plays(match, me));
  const myMatches = allMine.filter((match) => !saved.has(match.id));
  const shownTables = otherTables.filter(({ game }) => isShown(game));
  mine.clear();
  myTables.forEach((table) => mine.add(table.id));
  if (shownMine) {
    shownMine.tables(firstThose(myTables, (table) => table.invited === me.name));
    shownMine.matches(firstThose(myMatches, (match) => waiting.has(match.id)));
    showTurns(myMatches.filter((match) => waiting.has(match.id)));
    byId("no-mine").hidden = myTables.length + myMatches.length > 0;
    showFinished(myMatches.map(({ id }) => id));
  }
  shown.tables(firstThose(shownTables, (table) => whyNot(table, me) === ""));
  watching.show([...matches.values()], otherMatches.filter((match) => match.watchable));
  const seekers = seekersBeside(seeks.all, seeks.mine);
  const shownSeekers = seekers.filter(({ game }) => isShown(game));
  shown.seeks(shownSeekers);
  byId("filter").hidden = otherTables.length === 0 && only === "";
  byId("no-tables").hidden = shownTables.length + shownSeekers.length > 0;
  watching.showWaiting((game) => peopleWaiting(game, seekers, otherTables));
}

/** @param {FromLobby.MatchFields[]} mine the matches in which it is my turn */
function showTurns(mine) {
  if (turns && turnsKnown) {
    turns(mine.slice(0, TURNS));
    byId("turn").hidden = mine.length === 0;
  }
}

/** @param {string} game */
function isShown(game) {
  return only === "" || game === only;
}

/** @param {FromLobby.CountFields} counts */
function onCounts(counts) {
  showCounts(byId("counts"), counts);
  seeks.all = counts.seeks;
  show();
}

/** @param {ReadonlySet<string>} now */
function showWaiting(now) {
  waiting = now;
  turnsKnown = true;
  const badge = byId("mine-badge");
  badge.hidden = now.size === 0;
  find(badge, ".number").textContent = String(now.size);
  document.title = now.size ? `(${now.size}) ${title}` : title;
  show();
}

/** @param {FromPersonal.SavedMatches} message */
function showSaved(message) {
  saved.clear();
  message.matches.forEach((match) => saved.add(match.id));
  shownMine?.saved(message.matches);
  byId("saved").hidden = saved.size === 0;
  show();
}

/**
 * A stable partition: the items that pass a test first.
 *
 * @template T
 * @param {T[]} items
 * @param {(item: T) => boolean} test
 */
function firstThose(items, test) {
  return [...items.filter(test), ...items.filter((item) => !test(item))];
}

/**
 * @template T
 * @param {Map<string, T>} items
 * @param {(item: T) => boolean} test
 */
function parted(items, test) {
  const all = [...items.values()];
  return [all.filter(test), all.filter((item) => !test(item))];
}

/**
 * @template {{id: string}} T
 * @param {Map<string, T>} map
 * @param {T[]} items
 */
function replace(map, items) {
  map.clear();
  items.forEach((item) => map.set(item.id, item));
}

/**
 * Insert an item first, as in the server's list.
 *
 * @template {{id: string}} T
 * @param {Map<string, T>} map
 * @param {T} item
 */
function putFirst(map, item) {
  const others = [...map.values()].filter((other) => other.id !== item.id);
  replace(map, [item, ...others]);
}

/** @param {string} sentence */
function say(sentence) {
  byId("news").textContent = sentence;
}

bindPairing(page, byId("pairing").dataset.cancel ?? "", say);
guardForms();
bindSheets(page);
onSeek((seek) => {
  // It is sent again every second of the wait.
  const before = seeks.mine;
  seeks.mine = seek;
  if (Boolean(before) !== Boolean(seek) || (before && seek && (tileName(before) !== tileName(seek) || before.rated !== seek.rated))) {
    show();
  }
});
onWaiting(showWaiting);
if (shownMine) {
  bindTimeLeft(byId("my-matches"));
  if (turns) {
    bindTimeLeft(byId("turn-matches"));
  }
}
// Tables that the lobby does not list are sent to their users.
onPersonal("table", onChange);
onPersonal("table-gone", onChange);
onPersonal("match", onChange);
onPersonal("match-over", onChange);
whenOpen(() => askPersonal({ type: "saved" }));
onPersonal("saved", showSaved);
bindFilter(byId("filter"), (game) => {
  only = game;
  show();
});
const talk = document.getElementById("chat");
// Sites and users may switch the chat off.
const chat = talk && setting("chat") !== "nobody" ? bindChat(talk, me.name, () => socket) : {};
const socket = openLobby({
  onList,
  onChange,
  onWatching: watching.told,
  onCounts,
  banner: byId("connection"),
  ...chat,
});
page.dataset.ready = "";
