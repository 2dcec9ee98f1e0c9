/**
 * Puts what the lobby socket says in order. Every change is numbered; a list is good up to a number.
 *
 * Changes that come before the list, late, twice or in the wrong order are held or dropped; one that
 * stays missing makes it ask for the list again.
 *
 * @typedef {{type: string, number: number}} Message
 */

/** Messages that only say which change was the last. */
const NO_CHANGE = new Set(["pong", "latest"]);

/** How long a missing change may take: another process may just have been slower. */
export const PATIENCE = 700;

/**
 * @param {object} way
 * @param {(list: any) => void} way.onList
 * @param {(change: any) => void} way.onChange
 * @param {() => void} way.ask for the list
 * @param {{setTimeout: Function, clearTimeout: Function}} [world]
 */
export function orderedNews({ onList, onChange, ask }, world = globalThis) {
  /** The last change that was applied; null until this connection has told the list. */
  let last = null;
  /** The highest number heard of. */
  let heard = 0;
  let patience = 0;
  const held = new Map();

  function begin() {
    last = null;
    heard = 0;
    held.clear();
    settle();
  }

  /** @param {Message} message */
  function receive(message) {
    heard = Math.max(heard, message.number);
    if (message.type === "lobby") {
      last = message.number;
      onList(message);
    } else if (!NO_CHANGE.has(message.type)) {
      held.set(message.number, message);
    }
    if (last !== null) {
      applyHeld();
      watchForGap();
    }
  }

  function applyHeld() {
    for (const number of [...held.keys()].sort((a, b) => a - b)) {
      if (number === last + 1) {
        last = number;
        onChange(held.get(number));
      }
      if (number <= last) {
        held.delete(number);
      }
    }
  }

  function watchForGap() {
    if (heard <= last) {
      settle();
    } else if (!patience) {
      patience = world.setTimeout(() => {
        settle();
        ask();
      }, PATIENCE);
    }
  }

  function settle() {
    world.clearTimeout(patience);
    patience = 0;
  }

  return { begin, receive };
}
