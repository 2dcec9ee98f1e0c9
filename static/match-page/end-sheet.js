/** The sheet below the board at the end of a match, which can be closed and reopened. Loaded at the end. */

import { celebrate } from "../board/falling.js";
import { ending, isJoyful } from "../match/ending.js";
import { watches } from "../match/may.js";
import { follow, isKnown } from "../match/store.js";
import { movesUpTo } from "../match/turns.js";
import { byId, findAll } from "../parts/elements.js";
import { bindRating } from "../players/rating.js";

/**
 * @param {import("./connection.js").Connection} connection
 * @param {import("./look.js").Look} look
 * @param {object} way
 * @param {(sentence: string) => void} way.say
 * @param {boolean} way.watched whether this page has shown the match before its end
 * @param {() => boolean} way.isStill whether nothing is to move
 * @param {import("../players/rating.js").Personal} way.personal
 * @returns {(key: string) => boolean} whether the key closed the sheet
 */
export function bindSheet({ store }, look, { say, watched, isStill, personal }) {
  const sheet = byId("end");
  const opener = byId("end-open");
  /** Whether the sheet is closed: visitors to a finished match want the board. */
  let closed = watches(store.get()) && !watched;
  let celebrated = false;

  function show() {
    const now = store.get();
    if (!isKnown(now)) {
      return;
    }
    const told = now.cursor === null ? ending(now, look.module, look.view()) : null;
    if (told) {
      tell(told);
      // A match without moves has nothing to analyse or save.
      const played = movesUpTo(now.plies, now.live.ply) > 0;
      findAll(sheet, "[data-played]").forEach((each) => (each.hidden = !played));
    }
    sheet.hidden = !told || closed;
    opener.hidden = !told || !closed;
    if (told && watched && !celebrated) {
      celebrated = true;
      if (!isStill()) {
        celebrate(byId("stage"), told.title, isJoyful(now));
      }
    }
  }

  /** @param {import("../match/ending.js").Ending} told */
  function tell({ title, places, words, more }) {
    byId("end-title").textContent = title;
    const rest = document.createElement("span");
    rest.className = "match-end-more";
    rest.textContent = more;
    byId("end-words").replaceChildren(words, words && more && " ", rest);
    const list = byId("end-places");
    list.hidden = places.length === 0;
    list.replaceChildren(...places.map(placeElement));
  }

  /** @param {boolean} wanted */
  function open(wanted) {
    closed = !wanted;
    show();
    (wanted ? sheet.querySelector("button") : opener)?.focus();
  }

  opener.addEventListener("click", () => open(true));
  byId("end-close").addEventListener("click", () => open(false));
  // Unrated matches do not have this line.
  const rating = document.getElementById("end-rating");
  if (rating) {
    bindRating(rating, store, { say, personal });
  }
  look.onShown(show);
  // The store changes before the board does; the sheet must not cover another position.
  follow(store, (now) => {
    if (now.cursor !== null) {
      show();
    }
  });
  show();
  return (key) => {
    const shown = key === "Escape" && !sheet.hidden;
    if (shown) {
      open(false);
    }
    return shown;
  };
}

/** @param {import("../match/ending.js").Ending["places"][number]} place */
function placeElement({ name, tally, won }) {
  const element = document.createElement("li");
  element.toggleAttribute("data-won", won);
  for (const words of [name, tally && ` · ${tally}`]) {
    element.append(Object.assign(document.createElement("span"), { textContent: words }));
  }
  return element;
}
