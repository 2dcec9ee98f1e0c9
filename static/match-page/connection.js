/** The match page's connection to the server and what it has received. */

import { createServerTime } from "../match/clock.js";
import { createStore } from "../match/store.js";
import { freshId, openOutbox } from "../net/outbox.js";
import { sessionStorageOrNull } from "../net/storage.js";
import { openFeed } from "../net/socket.js";

/**
 * @typedef {object} Connection
 * @property {ReturnType<typeof createStore>} store the known state of the match
 * @property {() => number} now the server's time
 * @property {() => boolean} open whether a message would be sent at once
 * @property {(request: ToMatch.Message) => void} send sends a message without acknowledgement
 * @property {(wish: Commands.Wish) => void} command sends a command until it is acknowledged
 * @property {(decision: Commands.Decision) => void} decide the same for a command about the newest position
 */

/**
 * @param {DOMStringMap} match its id
 * @param {(status: import("../net/socket.js").Status, detail: string) => void} onStatus
 * @returns {Connection}
 */
export function connect(match, onStatus) {
  const outbox = openOutbox(`parlour:outbox:${match.match}`, sessionStorageOrNull());
  const store = createStore({ ask: (after) => send({ type: "sync", after }) });
  /** @type {Record<number, string>} in the language of the page */
  const computers = JSON.parse(match.computers ?? "{}");
  const time = createServerTime(() => performance.now());
  const feed = openFeed({
    name: "match",
    outbox,
    /** @param {FromMatch.Message} message */
    onMessage(message) {
      time.hear(message);
      if (message.type === "snapshot") {
        message.match.seats.forEach((seat) => (seat.name = computers[seat.seat] ?? seat.name));
      }
      if (message.type === "probe") {
        send(message);
      } else {
        store.dispatch(message);
      }
    },
    onStatus,
  });
  outbox.all().forEach((kept) => store.dispatch({ type: "sent", command: kept }));

  /** @param {ToMatch.Message} request */
  function send(request) {
    feed.send(request);
  }

  /** @param {Commands.Wish | (Commands.Decision & {after: number})} fields */
  function command(fields) {
    /** @type {Commands.Sent} */
    const made = { ...fields, id: freshId() };
    store.dispatch({ type: "sent", command: made });
    feed.command(made);
  }

  return {
    store,
    now: time.now,
    open: () => feed.open,
    send,
    command,
    decide: (fields) => command({ ...fields, after: store.get().live.ply }),
  };
}
