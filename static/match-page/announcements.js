/** What is heard of the match: a sound and the words for each ply, and where stepping through the moves has led. */

import { isWaking, thinking } from "../match/computers.js";
import { follow } from "../match/store.js";
import { news, whereabouts } from "../match/telling.js";
import { headline } from "../match/words.js";

/**
 * @param {import("./connection.js").Connection} connection
 * @param {import("./look.js").Look} look
 * @param {{playSound: (name: "move") => void, narration: {now: (words: string) => void, soon: (words: string) => void}}} way
 * @returns {() => void} unbind
 */
export function bindAnnouncements({ store }, look, { playSound, narration }) {
  let toldOfThinking = false;
  let toldOfWaking = false;
  return follow(store, (now, before, message) => {
    if (now.live.ply > before.live.ply && before.live.ply >= 0) {
      playSound("move");
      narration.now(news(now, before, look.module, look.view()));
    }
    if (message.type === "step") {
      narration.soon(whereabouts(now, look.module, look.view()));
    }
    // Once: from then on one knows why one waits, and hears the move when it comes.
    if (!toldOfThinking && thinking(now) !== null) {
      toldOfThinking = true;
      narration.soon(`${headline(now)}.`);
    }
    if (!toldOfWaking && isWaking(now)) {
      toldOfWaking = true;
      narration.soon(`${headline(now)}.`);
    }
  });
}
