/** Rows of the lobby's lists. The server makes the same rows in templates/lobby/_table_row.html and _match_row.html. */

/* global gettext, interpolate, ngettext */

/** How many chairs of a table nobody sits on, in words. */
export function freeChairs(table) {
  const free = table.seats - table.taken.length;
  return interpolate(ngettext("%(free)s chair free", "%(free)s chairs free", free), { free }, true);
}

/**
 * @param {HTMLElement} row
 * @param {any} table as the socket tells it
 * @param {string} me my name, "" for a visitor
 */
export function fillTable(row, table, me) {
  link(row, `/t/${table.id}`, table.title);
  text(row, "host", table.host);
  text(row, "free", freeChairs(table));
  text(row, "preset", table.preset);
  const rules = part(row, "rules");
  rules.replaceChildren(...table.options_in_words.map(listItem));
  const seated = table.taken.includes(me);
  part(row, "open").hidden = !seated;
  part(row, "open").href = `/t/${table.id}`;
  form(row, "sit", `/t/${table.id}/sit`, seated, interpolate(gettext("Sit down at %(host)s’s table"), table, true));
  form(row, "stand", `/t/${table.id}/stand`, !seated || me === table.host);
  form(row, "cancel", `/t/${table.id}/stand`, me !== table.host);
}

/**
 * @param {HTMLElement} row
 * @param {any} match as the socket tells it
 * @param {string} me
 */
export function fillMatch(row, match, me) {
  const players = match.players.join(" – ");
  link(row, `/m/${match.id}`, players);
  text(row, "title", match.title);
  const mine = match.players.includes(me);
  for (const [name, hidden] of [["play", !mine], ["watch", mine]]) {
    const button = part(row, name);
    button.href = `/m/${match.id}`;
    button.hidden = hidden;
  }
  part(row, "watch").setAttribute("aria-label", interpolate(gettext("Watch %(players)s"), { players }, true));
}

/** @returns {any} the element of a row with this data-part */
function part(row, name) {
  return row.querySelector(`[data-part="${name}"]`);
}

function text(row, name, words) {
  const element = part(row, name);
  if (element.textContent !== words) {
    element.textContent = words;
  }
}

function link(row, href, words) {
  part(row, "link").href = href;
  text(row, "link", words);
}

function form(row, name, action, hidden, label = "") {
  const element = part(row, name);
  element.setAttribute("action", action);
  element.hidden = hidden;
  if (label) {
    element.querySelector("button").setAttribute("aria-label", label);
  }
}

function listItem(words) {
  const item = document.createElement("li");
  item.textContent = words;
  return item;
}
