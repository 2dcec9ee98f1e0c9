/** The rematch offer after a match, and the text of its button. Pure. */

import { listed, say } from "../words/sentences.js";
import { mayNow } from "./may.js";
import { namesOf } from "./words.js";

/* global gettext */

/**
 * The text of the rematch button, and the note beside it.
 *
 * @param {import("./store.js").Known} store
 * @returns {{button: string|null, note: string, link: boolean, glow: boolean}}
 */
export function rematchLook(store) {
  const { live, you, offered, rematch } = store;
  const others = listed(offered.filter((seat) => seat !== you).map((seat) => namesOf(store)[seat]));
  if (!live.outcome) {
    return { button: null, note: "", link: false, glow: false };
  }
  if (rematch) {
    return { button: null, note: gettext("The rematch has begun."), link: true, glow: true };
  }
  if (!mayNow(store).commands.includes("rematch")) {
    const note = others ? say(gettext("%(names)s offered a rematch."), { names: others }) : "";
    return { button: null, note, link: false, glow: false };
  }
  if (you !== null && offered.includes(you)) {
    return { button: null, note: gettext("Rematch offered. Waiting for an answer."), link: false, glow: false };
  }
  return others
    ? {
      button: gettext("Accept rematch"),
      note: say(gettext("%(names)s offered a rematch."), { names: others }),
      link: false,
      glow: true,
    }
    : { button: gettext("Rematch"), note: "", link: false, glow: false };
}
