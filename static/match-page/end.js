/** The end of a match: its sheet, once the last piece has landed, and the way to the rematch. */

import { watches } from "../match/may.js";
import { follow, isKnown } from "../match/store.js";
import { askPersonal, onPersonal, whenOpen } from "../net/me.js";
import { moduleAt } from "../net/module.js";
import { isStill } from "../parts/settings.js";

/**
 * @param {import("./connection.js").Connection} connection
 * @param {import("./look.js").Look} look
 * @param {(sentence: string) => void} say
 * @returns {(key: string) => boolean} whether the key closed the sheet
 */
export function bindEnd(connection, look, say) {
  const { store } = connection;
  let watched = false;
  let isBound = false;
  /** @type {(key: string) => boolean} */
  let close = () => false;
  /** @type {Promise<typeof import("./end-sheet.js")>|undefined} */
  let sheet;
  const load = () => (sheet ??= moduleAt(import.meta.resolve("../match-page/end-sheet.js")));
  follow(store, ({ live }) => {
    watched ||= live.outcome === null;
    if (live.outcome) {
      void load();
    }
  });
  async function show() {
    const now = store.get();
    if (isKnown(now) && now.live.outcome && !isBound) {
      isBound = true;
      const { bindSheet } = await load();
      close = bindSheet(connection, look, { say, watched, isStill, personal: { askPersonal, onPersonal, whenOpen } });
    }
  }
  look.onShown(show);
  void show();
  return (key) => close(key);
}

/**
 * A rematch began: players who asked for it go there; everyone else gets a link.
 *
 * @param {import("./connection.js").Connection} connection
 * @param {(match: string) => string} addressOf
 * @returns {() => void} unbind
 */
export function bindRematch({ store }, addressOf) {
  return follow(store, (now, before) => {
    const mine = now.you === null ? !watches(now) : now.offered.includes(now.you);
    if (mine && now.rematch !== null && before.rematch === null && before.match) {
      location.assign(addressOf(now.rematch));
    }
  });
}
