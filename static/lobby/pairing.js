/** The tab of quick pairing: games, tiles, and the wait on the tile that was pressed. */

import { tileName } from "./pairing-words.js";
import { onSeek, post, showByTile, waited } from "./seeking.js";

/* global gettext */

const YEAR = 60 * 60 * 24 * 365;

/**
 * @param {HTMLElement} panel
 * @param {(sentence: string) => void} say
 */
export function bindPairing(panel, say) {
  const form = panel.querySelector("form");
  const tiles = [...form.querySelectorAll(".tile")];
  const problem = panel.querySelector("#pairing-problem");
  const inView = new IntersectionObserver((entries) => showByTile(entries.at(-1).isIntersecting), { threshold: 0.5 });
  let pressed = tiles.find(isPressed) ?? null;

  function show(seek) {
    const now = seek && tiles.find((tile) => tile.value === tileName(seek));
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

  async function send(address, fields) {
    problem.hidden = true;
    form.setAttribute("aria-busy", "true");
    const wrong = await post(address, form, fields);
    form.removeAttribute("aria-busy");
    problem.textContent = wrong;
    problem.hidden = wrong === "";
  }

  const cancel = () => send(form.dataset.cancel, {});

  form.addEventListener("submit", (event) => {
    const tile = event.submitter;
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

/** The games above the tiles: one at a time is shown, and remembered for the server's next page. */
function bindGames(form) {
  const links = [...form.querySelectorAll("nav [data-game]")];
  const sections = [...form.querySelectorAll("section[data-game]")];
  const rated = form.elements.rated;
  form.querySelector("nav").addEventListener("click", (event) => {
    const link = event.target.closest("[data-game]");
    if (link && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      select(link.dataset.game);
    }
  });

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
    explain(sections.find((section) => !section.hidden).dataset.casual);
    document.cookie = `pairing-game=${game}; path=/; max-age=${YEAR}; samesite=lax`;
  }

  /** Say why this game is played for fun only, if it is. */
  function explain(casual) {
    const yes = [...rated].find((radio) => radio.value === "yes");
    yes.disabled = casual !== "";
    if (yes.disabled) {
      [...rated].find((radio) => radio.value === "no").checked = true;
    }
    form.querySelector("#pairing-casual").textContent = casual;
  }
}

function isPressed(tile) {
  return tile.getAttribute("aria-pressed") === "true";
}

function press(tile, on) {
  tile.setAttribute("aria-pressed", String(on));
  tile.removeAttribute("formaction");
  part(tile, "note").hidden = !on;
}

/** @returns {any} the element of a tile with this data-part */
function part(tile, name) {
  return tile.querySelector(`[data-part="${name}"]`);
}
