/** The board bound to the match: it shows the ply that is looked at, and what is pressed on it is played. */

import { createConfirm } from "../actions/confirm.js";
import { Board } from "../board/board.js";
import { follow, isKnown, known, knownAfter, shownPly } from "../match/store.js";
import { watches } from "../match/may.js";
import { blockedWords, inHand } from "../match/words.js";
import { onChange, setting } from "../parts/settings.js";
import { hintedMove } from "./hint.js";
import { createPremove } from "./premove.js";

/* global gettext */

/**
 * @param {{root: HTMLElement, board: HTMLElement, controls: HTMLElement, confirm: HTMLElement}} parts
 * @param {import("./connection.js").Connection} connection
 * @param {import("./look.js").Look} look
 * @param {object} way
 * @param {(sentence: string) => void} way.refuse
 * @param {(sentence: string) => void} way.tell what becomes of a premove
 * @param {(sentence: string) => void} way.selected what can be played with what has been selected
 * @param {() => void} way.taken a press that is not refused: what was said of another no longer matters
 * @param {() => number} way.haste how many times faster pieces fly
 * @param {() => string|null} way.advised the move that a newcomer is advised to play
 * @param {(events: Boards.Event[]) => void} way.onEvents what is seen on the board just now
 * @param {() => Planned|null} way.plan what enters conditional moves, once it is there
 *
 * @typedef {ReturnType<typeof import("../actions/conditional.js").bindConditional>} Planned
 */
export function bindTable(parts, connection, look, { refuse, tell, taken, selected, haste, advised, onEvents, plan }) {
  const { store, decide } = connection;
  const premove = createPremove(connection, look, { tell, onChange: () => redraw() });
  const board = new Board(parts.board, parts.controls, look.module, {
    onMove: play,
    onPremove: premove.choose,
    onRefusal: refuse,
    onTaken: taken,
    onSelected: selected,
    speed: () => setting("speed"),
    haste,
    onEvents,
    onShown(ply) {
      if (plan()?.position()) {
        return;
      }
      parts.root.dataset.ply = String(ply);
      look.shown(ply);
    },
  });
  const confirm = createConfirm(parts.confirm, {
    wanted: () => setting("confirm") === "on",
    nameOf: look.nameOf,
    onMove: (move) => decide({ type: "move", move }),
    onAsked: () => redraw(),
  });
  const waiting = () => store.get().pending.find(({ type }) => type === "move")?.move ?? null;

  /** @param {string} move */
  function play(move) {
    if (plan()?.play(move)) {
      return;
    }
    const blocked = blockedWords(known(store.get()));
    const premoves = premove.now();
    if (premoves && move in premoves.moves) {
      premove.choose(move);
    } else if (blocked || waiting() !== null) {
      refuse(blocked ?? gettext("Your move is on its way."));
    } else {
      confirm.propose(move);
    }
  }

  function redraw(leap = false) {
    const now = known(store.get());
    board.update(
      plan()?.position() ?? {
        ply: shownPly(now),
        at: (number) => knownAfter(store.get(), number),
        view: inHand(now, look.view()),
        plays: !watches(now),
        waiting: waiting(),
        asked: confirm.asked(),
        hint: hintedMove(now) ?? advised(),
        blocked: blockedWords(now),
        premoves: premove.now(),
      },
      leap,
    );
  }

  const unset = onChange((name) => {
    if (name === "pits" && isKnown(store.get())) {
      redraw();
    }
  });
  const unfollow = follow(store, (now, before, message) => {
    const step = message.type === "step";
    if (step || now.live.ply > before.live.ply) {
      confirm.drop();
    }
    parts.root.removeAttribute("data-loading");
    parts.root.toggleAttribute("data-in-play", !watches(now) && !now.live.outcome);
    parts.root.toggleAttribute("data-plays", !watches(now));
    redraw(step && Math.abs(shownPly(now) - shownPly(before)) > 1);
  });

  // After the board: it shows the position in which the premove is played.
  const unbindPremove = premove.bind();

  return {
    play,
    redraw,
    unbind() {
      unbindPremove();
      unfollow();
      unset();
    },
    /** @param {string} key @returns {boolean} whether a key takes a premove back, which it then did */
    escape: (key) => key === "Escape" && premove.cancel(),
    moving: () => board.moving,
    hotkey: (/** @type {string} */ key) => board.hotkey(key.toLowerCase()),
  };
}
