/**
 * A hint for the player on turn in a casual match: requested from the server, said in words, marked on the board. While
 * the coach advises a move, that is the hint.
 */

import { freshId } from "../net/outbox.js";
import { myTurn } from "../match/may.js";
import { find } from "../parts/elements.js";

/* global gettext, interpolate */

const KEY = "h";

/** @typedef {import("../match/store.js").Store} Store */

/**
 * The move of a valid hint, while its position is on the board.
 * @param {Pick<Store, "hint"|"live"|"cursor">} store
 */
export function hintedMove({ hint, live, cursor }) {
  return hint?.ply === live.ply && cursor === null ? hint.move : null;
}

/**
 * The hint in words, "" without one for the position.
 * @param {Pick<Store, "hint"|"live">} store
 * @param {(move: string) => string} labelOf the name of a move
 */
export function hintWords({ hint, live }, labelOf) {
  if (hint?.ply !== live.ply) {
    return "";
  }
  const words = { move: labelOf(hint.move), points: Math.abs(hint.score ?? 0) };
  return interpolate(sentence(hint), words, true);
}

/** States a proved result; an expectation is not mentioned. @param {NonNullable<Store["hint"]>} hint */
function sentence({ proved, share, score }) {
  const counted = score !== null && score !== 0;
  if (proved && share === 1) {
    return counted ? gettext("Hint: %(move)s, wins by %(points)s") : gettext("Hint: %(move)s, wins");
  }
  if (proved && share === 0) {
    return counted ? gettext("Hint: %(move)s, loses by %(points)s") : gettext("Hint: %(move)s, loses");
  }
  return proved && share === 0.5 ? gettext("Hint: %(move)s, draws") : gettext("Hint: %(move)s");
}

/**
 * @param {HTMLElement|null} root holds a button and a live region; null if no button is offered
 * @param {object} way
 * @param {(request: ToMatch.HintRequest) => void} way.send
 * @param {{get: () => Store}} way.store
 * @param {(move: string) => string} way.labelOf
 * @param {() => Boards.Advice|null} [way.coached] the advice of the coach for this position
 */
export function bindHint(root, { send, store, labelOf, coached = () => null }) {
  const parts = root && { root, button: find(root, "button"), answer: find(root, "[role=status]") };
  /** @type {{id: string, ply: number}|null} the unanswered request */
  let asked = null;

  const advice = () => (coached()?.move ? coached() : null);

  function ask() {
    const told = advice()?.told;
    if (told) {
      return told;
    }
    const { live, hint } = store.get();
    if (asked === null && hint?.ply !== live.ply) {
      asked = { id: freshId(), ply: live.ply };
      send({ type: "hint", id: asked.id, after: live.ply });
    }
    dress();
    return words();
  }

  const words = () => (asked ? gettext("Thinking…") : hintWords(store.get(), labelOf));

  function dress() {
    if (!parts) {
      return;
    }
    const { root, button, answer } = parts;
    const open = offered(store.get()) && !advice();
    // If there is rarely a choice, no space is reserved for the button.
    root.toggleAttribute("data-rare", root.hasAttribute("data-rare") && !open);
    root.hidden = Boolean(store.get().live.outcome) || root.hasAttribute("data-rare");
    root.toggleAttribute("data-resting", !open);
    button.setAttribute("aria-disabled", String(asked !== null));
    if (answer.textContent !== words()) {
      answer.textContent = words();
    }
  }

  parts?.button.addEventListener("click", ask);

  return {
    ask,

    /** The store changed by a message. @param {Store} store @param {import("../match/store.js").Heard} message */
    update({ live }, message) {
      const answered = message.type === "hint" || (message.type === "refused" && message.id === asked?.id);
      // A request ends with its connection; a new one begins with a snapshot.
      if (answered || message.type === "snapshot" || asked?.ply !== live.ply) {
        asked = null;
      }
      dress();
    },

    dress,

    /** @param {string} pressed @returns {boolean} whether the key was handled */
    hotkey(pressed) {
      const open = Boolean(root) && pressed.toLowerCase() === KEY && offered(store.get()) && !advice();
      if (open) {
        ask();
      }
      return open;
    },
  };
}

/** A hint needs at least two legal moves. @param {Store} store */
function offered(store) {
  return myTurn(store) && store.cursor === null && (store.live.legal ?? []).length > 1;
}
