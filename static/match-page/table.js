/** The board bound to the match: it shows the selected ply, and presses are played. */

import { createConfirm } from "../actions/confirm.js";
import { Board } from "../board/board.js";
import { follow, isKnown, known, knownAfter, onInterruption, shownPly } from "../match/store.js";
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
 * @param {(sentence: string) => void} way.tell the state of a premove
 * @param {(sentence: string) => void} way.selected the moves of the selected cell
 * @param {() => void} way.taken a press was accepted: clear the last refusal
 * @param {() => number} way.haste how many times faster pieces fly
 * @param {() => string|null} way.advised the move that a newcomer is advised to play
 * @param {(events: Boards.Event[]) => void} way.onEvents the events shown now
 * @param {() => Planned|null} way.plan the conditional moves module, once loaded
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
    onPainted(state) {
      if (!plan()?.position()) {
        look.painted(state);
      }
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
      refuse(blocked ?? gettext("Sending your move."));
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
  // Before the board shows the position after it.
  const unbindReset = onInterruption(store, () => board.reset());
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

  // After the board is bound: it shows the position in which the premove is played.
  const unbindPremove = premove.bind();

  return {
    play,
    redraw,
    unbind() {
      unbindPremove();
      unfollow();
      unbindReset();
      unset();
    },
    /** @param {string} key @returns {boolean} whether the key cancelled a premove */
    escape: (key) => key === "Escape" && premove.cancel(),
    moving: () => board.moving,
    hotkey: (/** @type {string} */ key) => board.hotkey(key.toLowerCase()),
  };
}
