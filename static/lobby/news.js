/**
 * Orders the messages of the lobby socket. Every change is numbered; a list is current up to a number.
 *
 * Early, late, repeated and reordered changes are held or dropped; a missing one leads to a resync.
 *
 * @typedef {Extract<FromLobby.Message, {number: number}>} Message with a number
 * @typedef {Exclude<Message, {type: "lobby"|"pong"|"latest"}>} Change
 */

/** Milliseconds to wait for a missing change: another process may just be slower. */
export const PATIENCE = 700;

/**
 * @param {object} way
 * @param {(list: FromLobby.Lobby) => void} way.onList
 * @param {(change: Change) => void} way.onChange
 * @param {() => void} way.ask for the list
 * @param {{setTimeout: (what: () => void, ms: number) => number, clearTimeout: (timer: number) => void}} [world]
 */
export function orderedNews({ onList, onChange, ask }, world = globalThis) {
  /** The last applied change; null until this connection has received the list. @type {number|null} */
  let last = null;
  /** The highest number received. */
  let heard = 0;
  let patience = 0;
  /** @type {Map<number, Change>} */
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
    } else if (message.type !== "pong" && message.type !== "latest") {
      held.set(message.number, message);
    }
    if (last !== null) {
      applyHeld();
      watchForGap();
    }
  }

  function applyHeld() {
    for (const number of [...held.keys()].sort((a, b) => a - b)) {
      const change = held.get(number);
      if (change && last !== null && number === last + 1) {
        last = number;
        onChange(change);
      }
      if (last !== null && number <= last) {
        held.delete(number);
      }
    }
  }

  function watchForGap() {
    if (last === null || heard <= last) {
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
