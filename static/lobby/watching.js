/** Matches to watch: the grid of boards, and those on the game tiles. */

/* global gettext, interpolate */

import { byId, find, findAll, part } from "../parts/elements.js";
import { createBoards } from "../board/boards-on-show.js";
import { namesInWords, playersInWords } from "../match/computers.js";
import { keyedList } from "../parts/keyed-list.js";
import { resultWords, watchWords } from "../board/miniboard.js";
import { createTiles } from "./tiles.js";
import { PAGE, mostWatchedFirst, steady } from "./watch-order.js";

/** Milliseconds for which a result stays before its board is removed. */
const RESULT_STAYS = 6_000;
/** Aspect ratio of a board's space, as in miniboard.css. */
const ASPECT = 4 / 3;

/**
 * @param {object} way
 * @param {HTMLElement} way.section templates/lobby/_watch.html
 * @param {HTMLElement} way.tiles
 */
export function bindWatching({ section, tiles }) {
  const [list, more, games] = [byId("boards"), byId("more-boards"), byId("watch-games")];
  const choices = findAll(games, "input", HTMLInputElement);
  const named = choices.filter(({ value }) => value);
  const modules = Object.fromEntries(named.map(({ value, dataset }) => [value, dataset.board ?? ""]));

  /** @typedef {FromLobby.MatchFields} Match */

  /** All matches of the lobby. @type {Map<string, Match>} */
  let all = new Map();
  /** The matches in the grid. @type {Match[]} */
  let toWatch = [];
  /** @type {ReadonlyMap<string, number>} */
  let counts = new Map();
  /** The live match to show for each game. @type {Readonly<Record<string, string>>} */
  let live = {};
  let most = PAGE;
  /** Results in words. @type {Map<string, string>} */
  const results = new Map();
  /**
   * Matches that have just ended, and whether they were in the grid.
   *
   * @type {Map<string, {match: Match, listed: boolean}>}
   */
  const leaving = new Map();

  const boards = createBoards({ modules, onShown });
  const onTiles = createTiles(tiles, boards);
  const showCards = keyedList(list, byId("board-card", HTMLTemplateElement), fillCard);

  /** @param {import("../board/miniboard.js").Shown} shown */
  function onShown(shown) {
    const words = resultWords(shown);
    if (words) {
      results.set(shown.match.id, words);
      render();
    }
  }

  /** @param {FromLobby.Lobby|FromLobby.Watching} message spectator counts and live matches */
  function told(message) {
    const listed = message.type === "lobby";
    counts = new Map(listed ? message.matches.map((match) => [match.id, match.watchers]) : Object.entries(message.counts));
    live = message.live ?? {};
    if (!listed) {
      render();
    }
  }

  /**
   * @param {Match[]} matches all matches of the lobby, newest first
   * @param {Match[]} others those that can be watched
   */
  function show(matches, others) {
    const now = new Map(matches.map((match) => [match.id, match]));
    const wasListed = new Set(toWatch.map((match) => match.id));
    [...all.values()].filter((match) => !now.has(match.id)).forEach((match) => leave(match, wasListed.has(match.id)));
    all = now;
    toWatch = others;
    byId("matches").hidden = true;
    list.hidden = false;
    render();
  }

  /** @param {FromLobby.MatchFields} match @param {boolean} listed */
  function leave(match, listed) {
    leaving.set(match.id, { match, listed });
    setTimeout(() => {
      leaving.delete(match.id);
      results.delete(match.id);
      render();
    }, RESULT_STAYS);
  }

  function render() {
    const game = choices.find((choice) => choice.checked)?.value ?? "";
    const ended = [...leaving.values()].filter(({ listed }) => listed).map(({ match }) => match);
    const onPage = findAll(list, ":scope > [data-id]").map((card) => card.dataset.id ?? "");
    const wanted = mostWatchedFirst(
      [...toWatch, ...ended.filter((match) => !all.has(match.id))].filter((match) => !game || match.game === game),
      counts,
    );
    const held = ended.length > 0 || list.matches(":hover, :focus-within");
    const shown = held ? steady(wanted, onPage) : wanted;
    showCards(shown.slice(0, most));
    boards.prune();
    more.hidden = shown.length <= most;
    byId("no-matches").hidden = shown.length > 0;
    // A chosen game stays visible, so that the filter can be cleared.
    games.hidden = shown.length === 0 && !game;
    const known = Object.entries(live).filter(([, id]) => all.has(id));
    onTiles.show(Object.fromEntries(known), new Set(leaving.keys()));
  }

  /** @param {HTMLElement} card @param {FromLobby.MatchFields} match */
  function fillCard(card, match) {
    const watchers = counts.get(match.id) ?? 0;
    const link = part(card, "link", HTMLAnchorElement);
    link.href = `/m/${match.id}`;
    link.setAttribute("aria-label", watchWords(namesInWords(match), match.title));
    part(card, "players").textContent = playersInWords(match);
    part(card, "note").textContent = results.get(match.id) ?? noteWords(match);
    part(card, "watchers").hidden = watchers === 0;
    part(card, "count").textContent = String(watchers);
    card.toggleAttribute("data-over", results.has(match.id));
    boards.put(part(card, "art"), match.id, ASPECT);
  }

  games.addEventListener("change", () => {
    most = PAGE;
    render();
  });
  find(more, "button").addEventListener("click", () => {
    const first = list.children.length;
    most += PAGE;
    render();
    list.children[first]?.querySelector("a")?.focus();
  });
  section.addEventListener("pointerleave", render);

  return { told, show, showWaiting: onTiles.showWaiting, boards };
}

/** @param {FromLobby.MatchFields} match */
function noteWords({ title, delay }) {
  return delay ? interpolate(gettext("%(title)s, %(delay)s s later"), { title, delay }, true) : title;
}
