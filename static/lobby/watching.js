/** What there is to watch: the grid of boards, and those on the tiles of the games. */

/* global gettext, interpolate */

import { byId, find, findAll, part } from "../parts/elements.js";
import { createBoards } from "../board/boards-on-show.js";
import { namesInWords, playersInWords } from "../match/computers.js";
import { keyedList } from "../parts/keyed-list.js";
import { resultWords, watchWords } from "../board/miniboard.js";
import { createTiles } from "./tiles.js";
import { PAGE, mostWatchedFirst, steady } from "./watch-order.js";

/** How long the result of a match stays before its board goes. */
const RESULT_STAYS = 6_000;
/** Width by height of the space of a board, as miniboard.css has it. */
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

  /** Everything the lobby knows of. @type {Map<string, Match>} */
  let all = new Map();
  /** What of that is in the grid. @type {Match[]} */
  let toWatch = [];
  /** @type {ReadonlyMap<string, number>} */
  let counts = new Map();
  /** The live match to show of each game. @type {Readonly<Record<string, string>>} */
  let live = {};
  let most = PAGE;
  /** How matches ended, in words. @type {Map<string, string>} */
  const results = new Map();
  /** Matches that have just ended, with whether they were in the grid. @type {Map<string, {match: Match, listed: boolean}>} */
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

  /** @param {FromLobby.Lobby|FromLobby.Watching} message how many watch what, and what is live */
  function told(message) {
    const listed = message.type === "lobby";
    counts = new Map(listed ? message.matches.map((match) => [match.id, match.watchers]) : Object.entries(message.counts));
    live = message.live ?? {};
    if (!listed) {
      render();
    }
  }

  /**
   * @param {Match[]} matches all that the lobby knows of, newest first
   * @param {Match[]} others those of them that are to be watched
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
    // A game that was chosen stays chosen, and can be left again.
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
