/** The player's buttons on the match page: they send commands. */

import { createActions } from "../actions/buttons.js";
import { isKnown, onInterruption } from "../match/store.js";

/* global gettext */

/**
 * @param {HTMLElement} root
 * @param {import("./connection.js").Connection} connection
 * @param {import("./look.js").Look} look
 * @param {object} way
 * @param {() => void} way.redraw the board was turned
 * @param {(name: "request") => void} way.playSound
 * @param {{soon: (words: string) => void}} way.narration
 * @param {{tell: (words: string) => void}} way.notice
 * @param {(match: string) => string} way.addressOf
 */
export function bindActions(root, connection, look, { redraw, playSound, narration, notice, addressOf }) {
  const { store, now, command, decide } = connection;
  const actions = createActions(root, {
    now,
    onCommand: (fields) => (fields.type === "rematch" ? command(fields) : decide(fields)),
    onFlip() {
      look.turn();
      redraw();
    },
    say: narration.soon,
    onAsked: () => playSound("request"),
    onLapsed: () => notice.tell(gettext("Your offer expired.")),
    addressOf,
  });
  // A question appears only when the board is at rest, so that the player sees what it is about.
  function rested() {
    const now = store.get();
    if (isKnown(now)) {
      actions.update(now);
    }
  }
  const unbind = look.onShown(rested);
  rested();
  onInterruption(store, actions.reset);
  return { resign: actions.resign, hotkey: (/** @type {string} */ key) => actions.hotkey(key.toLowerCase()), unbind };
}
