/** Optional confirmation: a move that waits for a second press before it is played. */

import { find, findAll } from "../parts/elements.js";

/* global gettext, interpolate */

/**
 * @param {HTMLElement} root holds a sentence and two buttons, of which the first confirms
 * @param {object} way
 * @param {() => boolean} way.wanted whether moves are confirmed at all
 * @param {(move: string) => string} way.nameOf the name of a move
 * @param {(move: string) => void} way.onMove
 * @param {() => void} way.onAsked the waiting move changed; the board must show it
 */
export function createConfirm(root, { wanted, nameOf, onMove, onAsked }) {
  const [yes, no] = findAll(root, "button");
  const words = find(root, "p");
  /** @type {string|null} the move that waits */
  let move = null;
  /** @type {HTMLElement|null} where the focus was */
  let before = null;

  function end() {
    const had = root.contains(document.activeElement);
    move = null;
    root.hidden = true;
    if (had) {
      before?.focus();
    }
  }
  function drop() {
    if (move !== null) {
      end();
      onAsked();
    }
  }
  yes.addEventListener("click", () => {
    const played = move;
    end();
    if (played !== null) {
      onMove(played);
    }
  });
  no.addEventListener("click", drop);
  root.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      drop();
    }
  });
  return {
    /** Play a move, or ask for confirmation first. @param {string} proposed */
    propose(proposed) {
      if (!wanted()) {
        onMove(proposed);
        return;
      }
      const focused = document.activeElement;
      if (!root.contains(focused)) {
        before = focused instanceof HTMLElement ? focused : null;
      }
      move = proposed;
      words.textContent = interpolate(gettext("Play %(move)s?"), { move: nameOf(move) }, true);
      root.hidden = false;
      yes.focus();
      onAsked();
    },
    /** The move that waits. */
    asked: () => move,
    drop,
  };
}
