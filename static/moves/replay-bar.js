/** Below the moves: playback, its speed, and the address of the position on the board. */

import { createPlayer } from "../board/player.js";
import { lastingStorageOrNull, read, write } from "../net/storage.js";
import { find, findAll } from "../parts/elements.js";
import { bindCopy } from "../parts/share.js";
import { shownPly, stateAt } from "../match/store.js";
import { movesUpTo } from "../match/turns.js";

/* global gettext */

/** @typedef {import("../match/store.js").Message} Message */

const PACE = "parlour:pace";

/** @param {string} hash @returns {number|null} the ply in the hash of an address */
export function plyInHash(hash) {
  const found = /^#(\d{1,6})$/.exec(hash);
  return found ? Number(found[1]) : null;
}

/**
 * @param {HTMLElement} section the moves with everything around them
 * @param {import("./list.js").MoveList} moves
 * @param {object} way
 * @param {() => import("../match/store.js").Store} way.get
 * @param {(message: Message) => void} way.dispatch
 * @param {(sentence: string) => void} [way.say]
 */
export function createReplayBar(section, moves, { get, dispatch, say = () => {} }) {
  const play = find(section, "#play", HTMLButtonElement);
  const label = find(play, "[data-label]");
  const pace = find(section, "#pace", HTMLSelectElement);
  // Only matches of this site have addresses for positions.
  const address = findAll(section, "#ply-address", HTMLInputElement).at(0);
  const onward = findAll(section, "[data-onward]", HTMLAnchorElement);
  /** @param {number|null} to @param {boolean} played */
  const step = (to, played) => dispatch({ type: "step", to, played });
  let wanted = address ? plyInHash(location.hash) : null;

  const player = createPlayer({
    where: () => ({ shown: shownPly(get()), last: get().live.ply }),
    step: (to) => step(to, true),
    pace: () => Number(pace.value),
    onChange(playing) {
      play.toggleAttribute("data-playing", playing);
      label.textContent = playing ? gettext("Pause") : gettext("Replay");
      if (!playing) {
        follow();
      }
    },
  });

  /** Update the address when the user steps, but not with the match or during playback. */
  function follow() {
    if (address) {
      const hash = get().cursor === null ? "" : `#${get().cursor}`;
      history.replaceState(history.state, "", location.pathname + location.search + hash);
    }
  }

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented || event.target === pace) {
      return;
    }
    const toggled = event.key.toLowerCase() === "p" && !play.disabled;
    if (toggled) {
      player.toggle();
    }
    if (toggled || moves.key(event.key)) {
      event.preventDefault();
    }
  }

  /** Show the ply of the address once it is known. */
  function seek() {
    const store = get();
    if (wanted === null || !store.match) {
      return;
    }
    const to = wanted;
    if (to >= store.live.ply || stateAt(store, to)) {
      wanted = null;
      // After the other listeners have seen this change.
      queueMicrotask(() => step(to >= store.live.ply ? null : to, false));
    }
  }

  bindPace(pace);
  play.addEventListener("click", () => player.toggle());
  section.addEventListener("keydown", onKey);
  if (address) {
    bindCopy(find(section, "#replay"), say);
    addEventListener("hashchange", () => {
      wanted = plyInHash(location.hash);
      seek();
    });
  }

  return {
    /** The current animation speed-up. */
    haste: () => (player.playing ? Number(pace.value) : 1),

    rested: player.rested,

    /**
     * The store changed by a message.
     *
     * @param {import("../match/store.js").Store} store
     * @param {import("../match/store.js").Heard} message
     */
    update(store, message) {
      play.disabled = movesUpTo(store.plies, store.live.ply) === 0;
      if (address) {
        address.value = `${location.origin}${location.pathname}#${shownPly(store)}`;
        find(section, "#onward").hidden = !store.live.outcome;
        for (const link of onward) {
          link.href = `${location.pathname}/position/${shownPly(store)}${link.dataset.onward}`;
        }
      }
      if (message.type === "step" && !message.played) {
        player.stop();
        follow();
      }
      seek();
    },
  };
}

/** The playback speed is kept for the next match. @param {HTMLSelectElement} select */
function bindPace(select) {
  const storage = lastingStorageOrNull();
  const known = [...select.options].map(({ value }) => value);
  const kept = read(storage, PACE);
  if (kept && known.includes(kept)) {
    select.value = kept;
  }
  select.addEventListener("change", () => write(storage, PACE, select.value));
}
