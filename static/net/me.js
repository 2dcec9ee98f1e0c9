/**
 * What concerns whoever is signed in, on every page: one socket, and listeners by the type of a message.
 *
 * The server first says how things are ("hello"), and joins what it tells before it reads that. So what comes
 * earlier is held until then: it may be newer, and never harms when it is older.
 */

import { openSocket, socketUrl } from "./socket.js";

/**
 * What listeners are told: a message, or that there is a connection.
 * @typedef {FromPersonal.Message | {type: "open"}} Told
 */

/** @type {Map<string, Set<(message: any) => void>>} listeners of different messages in one map */
const listeners = new Map();
/** @type {{send: (message: object) => void}|null} */
let socket = null;
/** @type {Told[]|null} null once hello was said */
let early = [];
let isOpen = false;

/**
 * @template {Told["type"]} T
 * @param {T} type of a message, or "open" for a connection that has come about, be it again
 * @param {(message: Extract<Told, {type: T}>) => void} listener
 * @returns {() => void} stop listening
 */
export function onPersonal(type, listener) {
  const set = listeners.get(type) ?? new Set();
  listeners.set(type, set.add(listener));
  return () => set.delete(listener);
}

/**
 * Have `listener` called whenever there is a connection anew, at once if there is one.
 *
 * @param {() => void} listener
 */
export function whenOpen(listener) {
  onPersonal("open", listener);
  if (isOpen) {
    listener();
  }
}

/** Open the socket, on pages of somebody who is signed in. */
export function openPersonal() {
  if (document.body.dataset.me) {
    socket = openSocket({
      url: socketUrl("/ws/me", location),
      onMessage: receive,
      onStatus: (status) => {
        isOpen = status === "open";
        if (isOpen) {
          early = [];
          tell({ type: "open" });
        }
      },
    });
  }
}

/**
 * Ask something on the socket; lost while there is no connection, so ask when it opens.
 *
 * @param {ToPersonal.Message} message
 */
export function askPersonal(message) {
  socket?.send(message);
}

/** @param {FromPersonal.Message} message */
function receive(message) {
  if (message.type === "hello") {
    const held = early ?? [];
    early = null;
    tell(message);
    held.forEach(tell);
  } else if (early && message.type !== "error") {
    early.push(message);
  } else {
    tell(message);
  }
}

/** @param {Told} message */
function tell(message) {
  for (const listener of listeners.get(message.type) ?? []) {
    listener(message);
  }
}
