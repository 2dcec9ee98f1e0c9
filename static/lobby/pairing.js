/** The tab of quick pairing: games, tiles, and the wait on the tile that was pressed. */

import { around, find, findAll, part } from "../parts/elements.js";
import { tileName } from "./pairing-words.js";
import { onSeek, post, showByTile, waited } from "./seeking.js";

/* global gettext */

const YEAR = 60 * 60 * 24 * 365;

/**
 * @param {HTMLElement} panel
 * @param {(sentence: string) => void} say
 */
export function bindPairing(panel, say) {
  const form = find(panel, "form", HTMLFormElement);
  const tiles = findAll(form, ".tile", HTMLButtonElement);
  const problem = find(panel, "#pairing-problem");
  const inView = new IntersectionObserver((entries) => showByTile(entries[entries.length - 1].isIntersecting), { threshold: 0.5 });
  let pressed = tiles.find(isPressed) ?? null;

  /** @param {import("./seeking.js").Seek|null} seek */
  function show(seek) {
    const now = (seek && tiles.find((tile) => tile.value === tileName(seek))) ?? null;
    if (now !== pressed) {
      tiles.forEach((tile) => press(tile, tile === now));
      inView.disconnect();
      showByTile(false);
      if (now) {
        inView.observe(now);
      }
      if (Boolean(now) !== Boolean(pressed)) {
        say(now ? gettext("Looking for an opponent. Escape cancels.") : gettext("No longer looking for an opponent."));
      }
      pressed = now;
    }
    if (now) {
      part(now, "waited").textContent = waited();
    }
  }

  /** @param {string} address @param {Record<string, string>} fields */
  async function send(address, fields) {
    problem.hidden = true;
    form.setAttribute("aria-busy", "true");
    const wrong = await post(address, form, fields);
    form.removeAttribute("aria-busy");
    problem.textContent = wrong;
    problem.hidden = wrong === "";
  }

  const cancel = () => send(form.dataset.cancel ?? "", {});

  form.addEventListener("submit", (event) => {
    const tile = tiles.find((each) => each === event.submitter);
    // Whoever is not signed in becomes a guest on the way, with a new page.
    if (!document.body.dataset.me || !tile) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    if (form.hasAttribute("aria-busy")) {
      return;
    }
    if (isPressed(tile)) {
      cancel();
    } else {
      send(form.action, { tile: tile.value });
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && pressed && !panel.hidden && !document.querySelector("dialog[open]")) {
      cancel();
    }
  });
  bindGames(form);
  if (pressed) {
    inView.observe(pressed);
  }
  onSeek(show);
}

/**
 * The games above the tiles: one at a time is shown, and remembered for the server's next page.
 *
 * @param {HTMLFormElement} form
 */
function bindGames(form) {
  const links = findAll(form, "nav [data-game]");
  const sections = findAll(form, "section[data-game]");
  const [yes, no] = ["yes", "no"].map((value) => find(form, `[name=rated][value=${value}]`, HTMLInputElement));
  find(form, "nav").addEventListener("click", (event) => {
    const link = around(event, "[data-game]");
    if (link && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      select(link.dataset.game);
    }
  });

  /** @param {string|undefined} game */
  function select(game) {
    links.forEach((link) => {
      if (link.dataset.game === game) {
        link.setAttribute("aria-current", "true");
      } else {
        link.removeAttribute("aria-current");
      }
    });
    sections.forEach((section) => {
      section.hidden = section.dataset.game !== game;
    });
    explain(sections.find((section) => !section.hidden)?.dataset.casual ?? "");
    document.cookie = `pairing-game=${game}; path=/; max-age=${YEAR}; samesite=lax`;
  }

  /** Say why this game is played for fun only, if it is. @param {string} casual */
  function explain(casual) {
    yes.disabled = casual !== "";
    if (yes.disabled) {
      no.checked = true;
    }
    find(form, "#pairing-casual").textContent = casual;
  }
}

/** @param {HTMLButtonElement} tile */
function isPressed(tile) {
  return tile.getAttribute("aria-pressed") === "true";
}

/** @param {HTMLButtonElement} tile @param {boolean} on */
function press(tile, on) {
  tile.setAttribute("aria-pressed", String(on));
  tile.removeAttribute("formaction");
  part(tile, "note").hidden = !on;
}
