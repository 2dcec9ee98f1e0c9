// @ts-nocheck Typed when this folder has been taken apart.
/** Below the moves: play them, choose how fast, and copy the address of the position on the board. */

import { createPlayer } from "../board/player.js";
import { lastingStorageOrNull } from "../dice/promise.js";
import { bindCopy } from "../parts/share.js";
import { shownPly, stateAt } from "../match/store.js";

/* global gettext */

const PACE = "parlour:pace";

/** @returns {number|null} the ply that the end of an address names */
export function plyInHash(hash) {
  const found = /^#(\d{1,6})$/.exec(hash);
  return found ? Number(found[1]) : null;
}

/**
 * @param {HTMLElement} section the moves with everything around them
 * @param {import("./list.js").MoveList} moves
 * @param {object} way
 * @param {() => import("../match/store.js").Store} way.get
 * @param {(message: any) => void} way.dispatch
 * @param {(sentence: string) => void} [way.say]
 */
export function createReplayBar(section, moves, { get, dispatch, say = () => {} }) {
  const play = section.querySelector("#play");
  const pace = section.querySelector("#pace");
  const address = section.querySelector("#ply-address");
  const step = (to, played) => dispatch({ type: "step", to, played });
  let wanted = address ? plyInHash(location.hash) : null;

  const player = createPlayer({
    where: () => ({ shown: shownPly(get()), last: get().live.ply }),
    step: (to) => step(to, true),
    pace: () => Number(pace.value),
    onChange(playing) {
      play.toggleAttribute("data-playing", playing);
      play.querySelector("[data-label]").textContent = playing ? gettext("Pause") : gettext("Replay");
      if (!playing) {
        follow();
      }
    },
  });

  /** The address follows whoever steps, not the match; while it plays it would change too often. */
  function follow() {
    if (address) {
      const hash = get().cursor === null ? "" : `#${get().cursor}`;
      history.replaceState(history.state, "", location.pathname + location.search + hash);
    }
  }

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

  /** Show the ply that the address names, as soon as it is known. */
  function seek() {
    const store = get();
    if (wanted === null || !store.match) {
      return;
    }
    const to = wanted;
    if (to >= store.live.ply || stateAt(store, to)) {
      wanted = null;
      // Not while the others are still being told of what made it known.
      queueMicrotask(() => step(to >= store.live.ply ? null : to, false));
    }
  }

  bindPace(pace);
  play.addEventListener("click", () => player.toggle());
  section.addEventListener("keydown", onKey);
  if (address) {
    bindCopy(address.parentElement, say);
    addEventListener("hashchange", () => {
      wanted = plyInHash(location.hash);
      seek();
    });
  }

  return {
    /** How many times faster than usual pieces fly now. */
    haste: () => (player.playing ? Number(pace.value) : 1),

    rested: player.rested,

    /** The store has changed by a message. */
    update(store, message) {
      play.disabled = store.live.ply < 1;
      if (address) {
        address.value = `${location.origin}${location.pathname}#${shownPly(store)}`;
      }
      if (message.type === "step" && !message.played) {
        player.stop();
        follow();
      }
      seek();
    },
  };
}

/** The speed somebody chose holds for the next match too. */
function bindPace(select) {
  const storage = lastingStorageOrNull();
  const known = [...select.options].map(({ value }) => value);
  const kept = storage?.getItem(PACE);
  if (known.includes(kept)) {
    select.value = kept;
  }
  select.addEventListener("change", () => {
    try {
      storage?.setItem(PACE, select.value);
    } catch {
      // Storage is full: it holds until the page is left.
    }
  });
}
