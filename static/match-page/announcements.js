/** What screen readers announce: each ply, my turn, the end, and the position after stepping through the moves. */

import { isWaking, thinking } from "../match/computers.js";
import { follow, isKnown, shownPly } from "../match/store.js";
import { arrival, news, whereabouts } from "../match/telling.js";
import { headline } from "../match/words.js";

/**
 * @param {import("./connection.js").Connection} connection
 * @param {import("./look.js").Look} look
 * @param {{signal: (name: "your-turn"|"win"|"end") => void, narration: {now: (words: string) => void, soon: (words: string) => void}}} way
 * @returns {() => void} unbind
 */
export function bindAnnouncements({ store }, look, { signal, narration }) {
  let arrived = false;
  let toldOfThinking = false;
  let toldOfWaking = false;
  const unheard = bindRing(store, look, signal);
  const unfollow = follow(store, (now, before, message) => {
    if (!arrived) {
      arrived = true;
      tell(narration.soon, arrival(now, look.module, look.view()));
    } else if (now.live.ply > before.live.ply) {
      tell(narration.now, news(now, before, look.module, look.view()));
    }
    if (message.type === "step") {
      narration.soon(whereabouts(now, look.module, look.view()));
    }
    // Only once: later the player knows why they wait, and hears the move.
    if (!toldOfThinking && thinking(now) !== null) {
      toldOfThinking = true;
      narration.soon(`${headline(now)}.`);
    }
    if (!toldOfWaking && isWaking(now)) {
      toldOfWaking = true;
      narration.soon(`${headline(now)}.`);
    }
  });
  return () => {
    unheard();
    unfollow();
  };
}

/**
 * Announce unless empty: an empty text would replace another one.
 *
 * @param {(words: string) => void} say
 * @param {string} words
 */
function tell(say, words) {
  if (words) {
    say(words);
  }
}

/**
 * Ring when my turn begins and when the match ends, once the board is at rest. The state at page load does not ring.
 *
 * @param {import("./connection.js").Connection["store"]} store
 * @param {import("./look.js").Look} look
 * @param {(name: "your-turn"|"win"|"end") => void} signal
 */
function bindRing(store, look, signal) {
  /** @type {{mine: boolean, over: boolean}|null} */
  let before = null;
  return look.onShown(() => {
    const now = store.get();
    if (!isKnown(now) || shownPly(now) !== now.live.ply) {
      return;
    }
    const { live, you } = now;
    // True during my dice animation too: my turn does not begin anew when the dice land.
    const here = { mine: you !== null && live.state.turn === you, over: live.outcome !== null };
    if (before && here.over && !before.over) {
      signal(you !== null && live.outcome?.winners.length === 1 && live.outcome.winners[0] === you ? "win" : "end");
    } else if (before && here.mine && !before.mine && !here.over) {
      signal("your-turn");
    }
    before = here;
  });
}
