/** Reads and runs the lines of the text box. Few players type, so it is loaded when the box gets the focus. */

import { clockWords } from "../match/clock.js";
import { moveTyped } from "../match/move-words.js";
import { createCommands } from "../match/telling.js";
import { blockedWords, namesOf } from "../match/words.js";
import { commandWords } from "./command-words.js";

/**
 * @param {() => import("../match/store.js").Known} get
 * @param {Boards.Module} module
 * @param {object} way
 * @param {() => Boards.Sight} way.view
 * @param {(move: string) => void} way.play any other text
 * @param {() => string} way.hint
 * @param {{press: () => void, asked: () => boolean}} way.resign
 * @param {() => number} way.now the server's time
 * @param {(command: Commands.Decision) => void} way.send
 * @returns {(text: string) => string|null} runs a line, and returns the answer; null for a move
 */
export function createReader(get, module, { view, play, hint, resign, now, send }) {
  const clock = () => clockWords(get().match.clock, get().clocks, namesOf(get()), now());
  const commands = {
    ...createCommands(get, module, { view, resign, clock, now, send }),
    hint: () => blockedWords(get()) ?? hint(),
  };
  return (text) => {
    const command = commandNamed(text, commands);
    if (command) {
      return command();
    }
    const typed = moveTyped(text);
    const { move, refusal } = blockedWords(get()) ? { move: typed } : (module.typedMove?.(typed, get().live.state, view()) ?? { move: typed });
    if (move !== undefined) {
      play(move);
    }
    return refusal ?? null;
  };
}

/**
 * Commands are known in the page's language and in English, in any case.
 *
 * @param {string} text
 * @param {Record<string, () => string>} commands
 */
export function commandNamed(text, commands) {
  const said = commandWords();
  const word = text.toLowerCase().replace(/\s+/g, " ");
  const found = Object.keys(commands).find((name) => word === name || word === said[name]?.toLowerCase());
  return found ? commands[found] : null;
}
