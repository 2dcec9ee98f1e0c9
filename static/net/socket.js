/**
 * The WebSocket of a page, which reconnects by itself, and the feeds that it carries.
 *
 * Each message begins with the name of its feed; a message without one is about the connection and is for all feeds. The
 * address names the feeds that the page has when it connects; it asks for later ones, and again for those that failed,
 * by a message. The socket retries with exponential backoff and jitter, and at once when the network or the tab comes
 * back. It pings every 10 seconds and treats 5 seconds of silence as a dead connection. It resends every command with
 * the same id until it is accepted or refused.
 *
 * @typedef {"connecting"|"open"|"slow"|"lost"|"restarting"|"gone"|"signed-out"|"evening-over"|"players-only"|"outdated"} Status
 * @typedef {{id: string|null, code?: string}} Answer to a command
 * @typedef {ReturnType<typeof import("./outbox.js").openOutbox>} Outbox
 * @typedef {{addEventListener: (type: string, listener: () => void) => void}} Source of events
 *
 * @typedef {object} Connection the used part of a WebSocket
 * @property {((event: any) => void)|null} onopen
 * @property {((event: MessageEvent<string>) => void)|null} onmessage
 * @property {((event: CloseEvent) => void)|null} onclose
 * @property {(text: string) => void} send
 * @property {() => void} close
 *
 * @typedef {object} World the environment: WebSocket, timers and events
 * @property {(url: string) => Connection} connect
 * @property {(what: () => void, ms: number) => number} setTimeout
 * @property {(timer: number) => void} clearTimeout
 * @property {() => number} random
 * @property {() => number} now
 * @property {(what: () => void) => void} soon after the running script
 * @property {Source} window
 * @property {Source & {visibilityState: string}} document
 */

import { pause } from "./pause.js";
import { UNSETTLED } from "./unsettled.js";

export const PING_EVERY = 10_000;
export const SILENCE = 5_000;
const RETRY_COMMAND = 1_500;
const RETRY_FEED = 1_500;
/** A command that is not answered after this time is slow. */
const SLOW = 1_000;
/** Failed attempts after which a restart counts as an outage. */
const PATIENCE = 6;

/** The implemented version of docs/reference/protocol.md. */
export const PROTOCOL = "parlour.v1";

/** Close codes of docs/reference/protocol.md. */
/** During an update a server of an older version does not know the address of a page (4404). */
const RESTARTS = new Set([4012, 4404]);
/** What ends a feed for good. @type {Record<number, Status>} */
const END_OF_FEED = { 4401: "signed-out", 4403: "players-only", 4404: "gone" };
/** What ends all feeds of a page for good. @type {Record<number, Status>} */
const END_OF_ALL = { 4401: "signed-out", 4406: "outdated" };
/** @type {Set<Status>} */
const ENDS = new Set(["signed-out", "evening-over", "players-only", "gone", "outdated"]);

/**
 * The socket address of a path, with the language of the page.
 *
 * @param {string} path
 * @param {{href: string}} location
 */
export function socketUrl(path, location, language = globalThis.document?.documentElement.lang) {
  const url = new URL(path, location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  if (language) {
    url.searchParams.set("lang", language);
  }
  return url.href;
}

/** @returns {World} */
function browser() {
  return {
    /** @param {string} url */
    connect: (url) => new WebSocket(url, PROTOCOL),
    /** @param {() => void} what @param {number} ms */
    setTimeout: (what, ms) => setTimeout(what, ms),
    /** @param {number} timer */
    clearTimeout: (timer) => clearTimeout(timer),
    random: Math.random,
    now: () => performance.now(),
    /** @param {() => void} what */
    soon: (what) => queueMicrotask(what),
    window,
    document,
  };
}

/** Timers by name, of which each runs once. */
class Timers {
  /** @type {Map<string, number>} */
  #running = new Map();

  /** @param {World} world */
  constructor(world) {
    this.world = world;
  }

  /** @param {string} name @param {number} ms @param {() => void} what */
  after(name, ms, what) {
    this.stop(name);
    const run = () => {
      this.#running.delete(name);
      what();
    };
    this.#running.set(name, this.world.setTimeout(run, ms));
  }

  /** @param {string} name */
  has(name) {
    return this.#running.has(name);
  }

  /** @param {string} name */
  stop(name) {
    const timer = this.#running.get(name);
    if (timer !== undefined) {
      this.world.clearTimeout(timer);
      this.#running.delete(name);
    }
  }

  stopAll() {
    [...this.#running.keys()].forEach((name) => this.stop(name));
  }
}

/** @type {PageSocket|null} */
let ours = null;

/** The socket that the feeds of this page share. */
function socketOfPage() {
  ours ??= new PageSocket(socketUrl(document.body.dataset.socket ?? "/ws/page", location));
  return ours;
}

/**
 * @template {{type: string}} M the messages of the server
 * @param {object} way
 * @param {string} way.name of the feed, as in docs/reference/protocol.md
 * @param {(message: M) => void} way.onMessage including pongs
 * @param {(status: Status, detail: string) => void} way.onStatus with what the server said last about an error
 * @param {Outbox} [way.outbox]
 * @param {PageSocket} [socket]
 */
export function openFeed({ name, onMessage, onStatus, outbox }, socket = socketOfPage()) {
  return new Feed(name, onMessage, onStatus, outbox, socket);
}

/** @template {{type: string}} M */
class Feed {
  /** Whether the server was asked for it on this connection. */
  asked = false;
  /** @type {Status} */
  #status = "connecting";
  /** What the server said last about an error. */
  #detail = "";

  /**
   * @param {string} name
   * @param {(message: M) => void} onMessage
   * @param {(status: Status, detail: string) => void} onStatus
   * @param {Outbox|undefined} outbox
   * @param {PageSocket} socket
   */
  constructor(name, onMessage, onStatus, outbox, socket) {
    this.name = name;
    this.onMessage = onMessage;
    this.onStatus = onStatus;
    this.outbox = outbox;
    this.socket = socket;
    this.timers = new Timers(socket.world);
    socket.add(this);
  }

  get open() {
    return this.#status === "open" || this.#status === "slow";
  }

  /** Send a message if connected; otherwise it is lost. @param {object} message */
  send(message) {
    if (this.open) {
      this.socket.send(`${this.name} ${JSON.stringify(message)}`);
    }
  }

  /**
   * Send a command now or after connecting, again and again until it is answered.
   *
   * @param {import("./outbox.js").Command} command
   */
  command(command) {
    this.outbox?.add(command);
    this.#expect(command);
  }

  /** The socket carries this feed now. */
  opened() {
    this.tell("open");
    this.outbox?.all().forEach((command) => this.#expect(command));
  }

  /** @param {any} message */
  received(message) {
    if (message.type === "closed") {
      this.#closed(message.code);
      return;
    }
    if (message.type === "error") {
      this.#detail = message.detail;
    } else if (message.type === "accepted" || message.type === "refused") {
      this.#answered(message);
    }
    this.onMessage(message);
  }

  /** Whether this feed has ended for good. */
  get over() {
    return ENDS.has(this.#status);
  }

  /** @param {Status} status */
  tell(status) {
    if (status !== "open" && status !== "slow") {
      this.timers.stopAll();
    }
    if (status !== this.#status && !this.over) {
      this.#status = status;
      this.onStatus(status, this.#detail);
    }
  }

  /** The server has ended this feed alone. @param {number} code */
  #closed(code) {
    this.asked = false;
    this.tell(END_OF_FEED[code] ?? (RESTARTS.has(code) ? "restarting" : "lost"));
    if (!this.over) {
      this.timers.after("retry", RETRY_FEED, () => this.socket.ask(this));
    }
  }

  /** Send a command, and tell if its answer takes long. @param {object} command */
  #expect(command) {
    this.send(command);
    if (this.open) {
      this.timers.after("slow", SLOW, () => this.tell("slow"));
    }
  }

  /** @param {Answer} message */
  #answered(message) {
    if (UNSETTLED.has(message.code ?? "")) {
      this.timers.after("command", RETRY_COMMAND, () => this.outbox?.all().forEach((command) => this.send(command)));
    } else {
      this.outbox?.settle(message.id);
      if (this.outbox?.all().length === 0) {
        this.timers.stop("slow");
        this.tell("open");
      }
    }
  }
}

export class PageSocket {
  /** @type {Connection|null} */
  #socket = null;
  /** @type {Status} */
  #status = "connecting";
  #attempt = 0;
  #eveningOver = false;
  /** @type {Map<string, Feed<any>>} */
  #feeds = new Map();

  /** @param {string} url ws: or wss: @param {World} [world] */
  constructor(url, world = browser()) {
    this.url = url;
    this.world = world;
    this.timers = new Timers(world);
    world.window.addEventListener("online", () => this.#wake());
    world.window.addEventListener("offline", () => this.#ping());
    world.window.addEventListener("pageshow", () => this.#wake());
    world.document.addEventListener("visibilitychange", () => {
      if (world.document.visibilityState === "visible") {
        this.#wake();
      }
    });
  }

  /** Carry a feed; those that a script adds together are asked for together. @param {Feed<any>} feed */
  add(feed) {
    this.#feeds.set(feed.name, feed);
    this.world.soon(() => this.#begin(feed));
  }

  /** @param {string} text */
  send(text) {
    this.#socket?.send(text);
  }

  /** @param {Feed<any>} feed */
  #begin(feed) {
    if (this.#status === "open") {
      this.ask(feed);
    } else if (this.#status !== "connecting") {
      feed.tell(this.#status);
    } else if (!this.#socket) {
      this.#connect();
    }
  }

  /** Ask the server for a feed, unless the address of the connection did. @param {Feed<any>} feed */
  ask(feed) {
    if (!feed.asked) {
      feed.asked = true;
      this.send(`open ${feed.name}`);
    }
    feed.opened();
  }

  #living() {
    return [...this.#feeds.values()].filter((feed) => !feed.over);
  }

  #connect() {
    this.#drop();
    const feeds = this.#living();
    feeds.forEach((feed) => (feed.asked = true));
    const url = new URL(this.url);
    url.searchParams.set("feeds", feeds.map((feed) => feed.name).join(" "));
    const socket = this.world.connect(url.href);
    this.#socket = socket;
    socket.onopen = () => this.#opened();
    socket.onmessage = ({ data }) => this.#received(data);
    socket.onclose = ({ code }) => this.#closed(code);
    this.timers.after("silence", PING_EVERY, () => this.#closed(0));
  }

  #opened() {
    this.timers.stop("silence");
    this.#status = "open";
    this.#living().forEach((feed) => this.ask(feed));
    this.timers.after("ping", PING_EVERY, () => this.#ping());
  }

  /** @param {string} text */
  #received(text) {
    this.timers.stop("silence");
    if (text.startsWith("{")) {
      const message = JSON.parse(text);
      this.#eveningOver = message.code === "evening-over";
      this.#living().forEach((feed) => feed.received(message));
    } else {
      this.#attempt = 0;
      const end = text.indexOf(" ");
      this.#feeds.get(text.slice(0, end))?.received(JSON.parse(text.slice(end)));
    }
    if (this.#living().length === 0) {
      // Without a connection until another feed begins.
      this.#drop();
      this.#status = "connecting";
    }
  }

  #ping() {
    if (this.#status !== "open") {
      return;
    }
    this.#living().forEach((feed) => feed.send({ type: "ping", t: this.world.now() }));
    if (!this.timers.has("silence")) {
      this.timers.after("silence", SILENCE, () => this.#closed(0));
    }
    this.timers.after("ping", PING_EVERY, () => this.#ping());
  }

  /** @param {number} code */
  #closed(code) {
    this.#drop();
    const restarting = RESTARTS.has(code) || (this.#status === "restarting" && this.#attempt < PATIENCE);
    const end = this.#eveningOver ? "evening-over" : END_OF_ALL[code];
    this.#status = end ?? (restarting ? "restarting" : "lost");
    this.#living().forEach((feed) => feed.tell(this.#status));
    if (!end) {
      this.timers.after("retry", pause(this.#attempt, this.world.random()), () => this.#connect());
      this.#attempt += 1;
    }
  }

  /** The network or the tab is back: retry now. */
  #wake() {
    if (this.timers.has("retry")) {
      this.#connect();
    } else {
      this.#ping();
    }
  }

  /** Drop the connection without waiting for its close event, which a dead one never sends. */
  #drop() {
    this.timers.stopAll();
    const socket = this.#socket;
    this.#socket = null;
    if (socket) {
      socket.onopen = socket.onmessage = socket.onclose = null;
      socket.close();
    }
  }
}
