/** A move that waits for a second press before it is played, for whoever wants that. */

/* global gettext, interpolate */

/**
 * @param {HTMLElement} root holds a sentence and two buttons, the first of which plays
 * @param {object} way
 * @param {() => boolean} way.wanted whether moves are confirmed at all
 * @param {(move: string) => void} way.onMove
 * @param {() => void} way.onDrop the move was taken back; the board is to forget it
 */
export function createConfirm(root, { wanted, onMove, onDrop }) {
  const [yes, no] = root.querySelectorAll("button");
  const words = root.querySelector("p");
  let move = null;
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
      onDrop();
    }
  }
  yes.addEventListener("click", () => {
    const played = move;
    end();
    onMove(played);
  });
  no.addEventListener("click", drop);
  root.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      drop();
    }
  });
  return {
    /** Play a move, or ask for it first. */
    propose(proposed) {
      if (!wanted()) {
        onMove(proposed);
        return;
      }
      if (!root.contains(document.activeElement)) {
        before = document.activeElement;
      }
      move = proposed;
      words.textContent = interpolate(gettext("Play %(move)s?"), { move }, true);
      root.hidden = false;
      yes.focus();
    },
    drop,
  };
}
