/**
 * Rows of the lobby's lists. The server renders the same rows in templates/lobby/_table_row.html, _match_row.html and
 * _saved_row.html.
 */

import { find, part } from "../parts/elements.js";
import { playersInWords } from "../match/computers.js";

/* global gettext, interpolate, ngettext */

/**
 * @typedef {{name: string, casual: string, ratings: Record<string, number>}} Me
 *   name: "" for a visitor; casual: why I play no rated match, "" if I may
 */

/** The rating of a user without rated matches. */
const BEGINNING = 1500;

/** The challenged user, or the number of free seats. @param {FromLobby.TableFields} table @param {Me} me */
export function roomFor(table, me) {
  if (table.invited !== null) {
    return table.invited === me.name ? gettext("for you") : interpolate(gettext("for %(invited)s"), table, true);
  }
  const free = table.seats - table.taken.length;
  return interpolate(ngettext("%(free)s seat free", "%(free)s seats free", free), { free }, true);
}

/** Whether a table is mine: I sit there, or am challenged. @param {FromLobby.TableFields} table @param {Me} me */
export function isMine(table, me) {
  return me.name !== "" && (table.taken.includes(me.name) || table.invited === me.name);
}

/** Whether I play a match, or host it as a hot-seat match. @param {FromLobby.MatchFields} match @param {Me} me */
export function plays(match, me) {
  return me.name !== "" && (match.players.includes(me.name) || match.holder === me.name);
}

/**
 * Why I cannot join a table, "" if I can. The server checks this and more.
 *
 * @param {FromLobby.TableFields} table
 * @param {Me} me
 */
export function whyNot(table, me) {
  if (!table.rated) {
    return "";
  }
  if (me.casual) {
    return me.casual;
  }
  const rating = Math.round(me.ratings[table.pool] ?? BEGINNING);
  const { lowest_rating: lowest, highest_rating: highest } = table;
  if ((lowest !== null && rating < lowest) || (highest !== null && rating > highest)) {
    const words = gettext("Your rating, %(rating)s, is outside this table’s limits.");
    return interpolate(words, { rating }, true);
  }
  return "";
}

/**
 * @param {HTMLElement} row
 * @param {FromLobby.TableFields} table
 * @param {Me} me
 */
export function fillTable(row, table, me) {
  const seated = table.taken.includes(me.name);
  const challenged = table.invited !== null && table.invited === me.name;
  const why = seated ? "" : whyNot(table, me);
  link(row, `/t/${table.id}`, table.title);
  badge(row, "kind", table.invited ? gettext("Challenge") : gettext("By invitation"), table.listed);
  text(row, "host", table.host);
  text(row, "free", roomFor(table, me));
  text(row, "terms", table.terms_in_words.join(" · "));
  badge(row, "why", why, why === "");
  text(row, "preset", table.preset);
  const rules = part(row, "rules");
  rules.replaceChildren(...table.options_in_words.map(listItem));
  const open = part(row, "open", HTMLAnchorElement);
  open.hidden = !seated;
  open.href = `/t/${table.id}`;
  const sit = challenged ? gettext("Accept %(host)s’s challenge") : gettext("Join %(host)s’s table");
  form(row, "sit", `/t/${table.id}/sit`, seated || why !== "", interpolate(sit, table, true));
  find(part(row, "sit"), "button").textContent = challenged ? gettext("Accept") : gettext("Join");
  const no = interpolate(gettext("Decline %(host)s’s challenge"), table, true);
  form(row, "decline", `/t/${table.id}/decline`, !challenged, no);
  form(row, "stand", `/t/${table.id}/stand`, !seated || me.name === table.host);
  form(row, "cancel", `/t/${table.id}/stand`, me.name !== table.host);
}

/**
 * @param {HTMLElement} row
 * @param {FromLobby.MatchFields} match
 * @param {Me} me
 * @param {boolean} waits whether it is my turn
 */
export function fillMatch(row, match, me, waits) {
  const players = playersInWords(match);
  link(row, `/m/${match.id}`, players);
  text(row, "title", match.title);
  part(row, "turn").hidden = !waits;
  const mine = plays(match, me);
  for (const [name, hidden] of Object.entries({ play: !mine, watch: mine })) {
    const button = part(row, name, HTMLAnchorElement);
    button.href = `/m/${match.id}`;
    button.hidden = hidden;
  }
  part(row, "watch").setAttribute("aria-label", interpolate(gettext("Watch %(players)s"), { players }, true));
}

/**
 * @param {HTMLElement} row
 * @param {FromPersonal.SavedFields} match one of mine that was saved
 */
export function fillSaved(row, match) {
  const players = match.players.join(" – ");
  link(row, `/m/${match.id}`, players);
  text(row, "title", match.title);
  text(row, "words", match.words);
  part(row, "others").replaceChildren(...match.others.map(otherItem));
  part(row, "open", HTMLAnchorElement).href = `/m/${match.id}`;
  part(row, "open").setAttribute("aria-label", interpolate(gettext("Open %(players)s"), { players }, true));
}

/** @param {FromPersonal.OtherFields} other */
function otherItem({ here, words }) {
  const item = listItem("");
  const dot = document.createElement("span");
  dot.className = "presence";
  dot.toggleAttribute("data-here", here);
  dot.setAttribute("aria-hidden", "true");
  const sentence = document.createElement("span");
  sentence.textContent = words;
  item.append(dot, sentence);
  return item;
}

/** @param {HTMLElement} row @param {string} name @param {string} words */
function text(row, name, words) {
  const element = part(row, name);
  if (element.textContent !== words) {
    element.textContent = words;
  }
}

/** @param {HTMLElement} row @param {string} name @param {string} words @param {boolean} hidden */
function badge(row, name, words, hidden) {
  text(row, name, words);
  part(row, name).hidden = hidden;
}

/** @param {HTMLElement} row @param {string} href @param {string} words */
function link(row, href, words) {
  part(row, "link", HTMLAnchorElement).href = href;
  text(row, "link", words);
}

/**
 * @param {HTMLElement} row
 * @param {string} name
 * @param {string} action
 * @param {boolean} hidden
 * @param {string} [label]
 */
function form(row, name, action, hidden, label = "") {
  const element = part(row, name);
  element.setAttribute("action", action);
  element.hidden = hidden;
  if (label) {
    find(element, "button").setAttribute("aria-label", label);
  }
}

/** @param {string} words */
function listItem(words) {
  const item = document.createElement("li");
  item.textContent = words;
  return item;
}
