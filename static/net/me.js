/**
 * The personal feed of a signed-in user, on every page, with listeners by message type.
 *
 * The server subscribes before it reads the state that it sends first ("hello"). Messages that arrive earlier are held
 * until then: they may be newer, and older ones are harmless.
 */

import { openFeed } from "./socket.js";

/**
 * An event for listeners: a message, or a new connection.
 * @typedef {FromPersonal.Message | {type: "open"}} Told
 */

/** @type {Map<string, Set<(message: any) => void>>} listeners of different messages in one map */
const listeners = new Map();
/** @type {{send: (message: object) => void}|null} */
let feed = null;
/** @type {Told[]|null} null after hello */
let early = [];
let isOpen = false;

/**
 * @template {Told["type"]} T
 * @param {T} type of a message, or "open" for a connection or reconnection
 * @param {(message: Extract<Told, {type: T}>) => void} listener
 * @returns {() => void} stop listening
 */
export function onPersonal(type, listener) {
  const set = listeners.get(type) ?? new Set();
  listeners.set(type, set.add(listener));
  return () => set.delete(listener);
}

/**
 * Call `listener` on every connection, and at once if already connected.
 *
 * @param {() => void} listener
 */
export function whenOpen(listener) {
  onPersonal("open", listener);
  if (isOpen) {
    listener();
  }
}

/** Open the feed, for signed-in users. */
export function openPersonal() {
  if (document.body.dataset.me) {
    feed = openFeed({
      name: "me",
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
 * Send a request; it is lost without a connection, so send it when the socket opens.
 *
 * @param {ToPersonal.Message} message
 */
export function askPersonal(message) {
  feed?.send(message);
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
