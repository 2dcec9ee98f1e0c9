/** The text box bound to the match: what is typed is played, or asked. */

import { bindCommandBox } from "../actions/commandbox.js";
import { clockWords } from "../match/clock.js";
import { known } from "../match/store.js";
import { createCommands } from "../match/telling.js";
import { blockedWords, namesOf } from "../match/words.js";

/**
 * @param {{form: HTMLFormElement, answer: HTMLElement}} parts
 * @param {import("./connection.js").Connection} connection
 * @param {import("./look.js").Look} look
 * @param {object} way
 * @param {(move: string) => void} way.play
 * @param {{press: () => void, asked: () => boolean}} way.resign
 * @param {{ask: () => string}} way.hint
 */
export function bindTyping({ form, answer }, { store, now, decide }, look, { play, resign, hint }) {
  const get = () => known(store.get());
  const clock = () => clockWords(get().match.clock, get().clocks, namesOf(get()), now());
  bindCommandBox(form, {
    onMove: play,
    commands: {
      ...createCommands(get, look.module, { resign, clock, now, send: decide }),
      hint: () => blockedWords(get()) ?? hint.ask(),
    },
    onAnswer: (words) => {
      answer.textContent = words;
    },
  });
}
