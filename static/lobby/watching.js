/** What there is to watch: the grid of boards in the tab, and the one match on the front page. */

/* global gettext, interpolate */

import { createBoards } from "../board/boards-on-show.js";
import { namesInWords, playersInWords } from "../match/computers.js";
import { createFeatured } from "./featured.js";
import { keyedList } from "../parts/keyed-list.js";
import { resultWords, watchWords } from "../board/miniboard.js";
import { PAGE, mostWatchedFirst, steady } from "./watch-order.js";

/** How long the result of a match stays before its board goes. */
const RESULT_STAYS = 6_000;
/** Width by height of the space of a board, as miniboard.css has it. */
const ASPECT = 4 / 3;

/**
 * @param {object} way
 * @param {HTMLElement} way.tab templates/lobby/_watch.html
 * @param {HTMLElement} way.featured
 */
export function bindWatching({ tab, featured }) {
  const id = (name) => document.getElementById(name);
  const [list, more, games] = ["boards", "more-boards", "watch-games"].map(id);
  const choices = /** @type {HTMLInputElement[]} */ ([...games.querySelectorAll("input")]);
  const modules = Object.fromEntries(choices.filter(({ value }) => value).map(({ value, dataset }) => [value, dataset.board]));

  /** Everything the lobby knows of, and of that what is in the tab. */
  let all = new Map();
  let toWatch = [];
  let counts = new Map();
  let featuredId = null;
  let onFront = null;
  let most = PAGE;
  /** How matches ended, in words. */
  const results = new Map();
  /** Matches that have just ended, with whether they were in the tab. */
  const leaving = new Map();

  const boards = createBoards({ modules, onShown });
  const showFeatured = createFeatured(featured, boards);
  const showCards = keyedList(list, id("board-card"), fillCard);

  function onShown(shown) {
    const words = resultWords(shown);
    if (words) {
      results.set(shown.match.id, words);
      render();
    }
  }

  /** @param {any} message of the lobby that says how many watch what */
  function told(message) {
    counts = new Map(message.counts ? Object.entries(message.counts) : message.matches.map((m) => [m.id, m.watchers]));
    featuredId = message.featured;
    if (message.counts) {
      render();
    }
  }

  /**
   * @param {any[]} matches all that the lobby knows of, newest first
   * @param {any[]} others those of them that are to be watched
   */
  function show(matches, others) {
    const now = new Map(matches.map((match) => [match.id, match]));
    const wasListed = new Set(toWatch.map((match) => match.id));
    [...all.values()].filter((match) => !now.has(match.id)).forEach((match) => leave(match, wasListed.has(match.id)));
    all = now;
    toWatch = others;
    id("matches").hidden = true;
    list.hidden = games.hidden = false;
    render();
  }

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
    const onPage = [...list.children].map((card) => card.dataset.id);
    const wanted = mostWatchedFirst(
      [...toWatch, ...ended.filter((match) => !all.has(match.id))].filter((match) => !game || match.game === game),
      counts,
    );
    const held = ended.length > 0 || list.matches(":hover, :focus-within");
    const shown = held ? steady(wanted, onPage) : wanted;
    showCards(shown.slice(0, most));
    boards.prune();
    more.hidden = shown.length <= most;
    id("no-matches").hidden = shown.length > 0;
    renderFeatured();
  }

  function renderFeatured() {
    if (!leaving.has(onFront?.id)) {
      onFront = all.get(featuredId) ?? null;
    }
    showFeatured(onFront, counts.get(onFront?.id) ?? 0, results.get(onFront?.id) ?? "");
  }

  function fillCard(card, match) {
    const part = (name) => card.querySelector(`[data-part="${name}"]`);
    const watchers = counts.get(match.id) ?? 0;
    part("link").href = `/m/${match.id}`;
    part("link").setAttribute("aria-label", watchWords(namesInWords(match), match.title));
    part("players").textContent = playersInWords(match);
    part("note").textContent = results.get(match.id) ?? noteWords(match);
    part("watchers").hidden = watchers === 0;
    part("count").textContent = String(watchers);
    card.toggleAttribute("data-over", results.has(match.id));
    boards.put(part("art"), match.id, ASPECT);
  }

  games.addEventListener("change", () => {
    most = PAGE;
    render();
  });
  more.querySelector("button").addEventListener("click", () => {
    const first = list.children.length;
    most += PAGE;
    render();
    list.children[first]?.querySelector("a").focus();
  });
  tab.addEventListener("pointerleave", render);

  return { told, show };
}

function noteWords({ title, delay }) {
  return delay ? interpolate(gettext("%(title)s, %(delay)s s later"), { title, delay }, true) : title;
}
