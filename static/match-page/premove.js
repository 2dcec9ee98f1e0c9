/**
 * A premove: sent when the turn comes, if it is legal then and nothing but moves and rolls came since it was entered. It
 * stays in this page until then.
 */

import { lastInterruption } from "../match/acts.js";
import { mayPremove, myTurn } from "../match/may.js";
import { follow, isKnown, known, missingAfter } from "../match/store.js";
import { onChange, setting } from "../parts/settings.js";

/* global gettext, interpolate */

/**
 * @param {import("./connection.js").Connection} connection
 * @param {import("./look.js").Look} look
 * @param {{tell: (sentence: string) => void, onChange: () => void}} way `onChange`: the premove was set or cleared
 */
export function createPremove({ store, decide }, look, { tell, onChange: changed }) {
  /** @type {string|null} */
  let chosen = null;
  /** The ply after which it was entered. */
  let since = 0;

  /** Premoves are off if moves are confirmed: they would be played unseen. */
  const wanted = () => setting("premove") === "on" && setting("confirm") === "off";

  /** @param {string|null} move @param {string} words */
  function set(move, words) {
    chosen = move;
    since = store.get().live.ply;
    changed();
    if (words) {
      tell(words);
    }
  }

  /** The name of a move of mine, regardless of the turn. @param {string} move */
  const nameOf = (move) => look.nameOf(move, known(store.get()).you ?? undefined);

  /** @returns {boolean} whether there was one */
  function cancel() {
    const was = chosen !== null;
    if (was) {
      set(null, gettext("Premove cancelled."));
    }
    return was;
  }

  return {
    /** The possible premoves and the chosen one; null if premoves are not possible. @returns {Boards.Premoving|null} */
    now() {
      const here = store.get();
      if (!isKnown(here) || !wanted() || !mayPremove(here) || here.you === null) {
        return null;
      }
      const premoves = look.module.premoves?.(here.live.state, here.you);
      return premoves ? { ...premoves, chosen } : null;
    },
    /** @param {string|null} move null to cancel */
    choose(move) {
      if (move === null) {
        cancel();
      } else {
        set(move, interpolate(gettext("Premove %(move)s. To cancel it, press it again or Escape."), { move: nameOf(move) }, true));
      }
    },
    cancel,
    /** Play or drop the premove when my turn comes. @returns {() => void} unbind */
    bind() {
      const unfollow = follow(store, (now, _before, message) => {
        if (chosen === null) {
          return;
        }
        const { live } = now;
        if (lastInterruption(now.plies) > since && live.outcome === null) {
          cancel();
          return;
        }
        if (message.type === "sent" && message.command.type === "move") {
          set(null, "");
          return;
        }
        if (missingAfter(now) !== null) {
          // A take-back may be among the plies that are still to come.
          return;
        }
        const over = live.outcome !== null || now.flags.halted !== null || now.you === null;
        if (over || (myTurn(now) && live.legal)) {
          const move = chosen;
          const legal = !over && live.legal?.includes(move);
          set(null, legal || live.outcome ? "" : interpolate(gettext("Your premove %(move)s is no longer legal."), { move: nameOf(move) }, true));
          if (legal) {
            decide({ type: "move", move });
          }
        }
      });
      const deaf = onChange(() => {
        if (isKnown(store.get()) && !wanted()) {
          cancel();
        }
      });
      return () => {
        unfollow();
        deaf();
      };
    },
  };
}
