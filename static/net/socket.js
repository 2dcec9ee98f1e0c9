/**
 * A WebSocket that reconnects by itself.
 *
 * It retries with exponential backoff and jitter, and at once when the network or the tab comes back. It pings every 10
 * seconds and treats 5 seconds of silence as a dead connection. It resends every command with the same id until it is
 * accepted or refused.
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
 * @property {Source} window
 * @property {Source & {visibilityState: string}} document
 */

import { UNSETTLED } from "./unsettled.js";

export const PING_EVERY = 10_000;
export const SILENCE = 5_000;
const FIRST_PAUSE = 500;
/** Everybody is back within five seconds of a server. */
const LONGEST_PAUSE = 4_000;
const RETRY_COMMAND = 1_500;
/** A command that is not answered after this time is slow. */
const SLOW = 1_000;
/** Failed attempts after which a restart counts as an outage. */
const PATIENCE = 6;

/** The implemented version of docs/reference/protocol.md. */
export const PROTOCOL = "parlour.v1";

/** Close codes of docs/reference/protocol.md. */
const RESTARTING = 4012;
/** @type {Record<number, Status>} */
const FINAL = { 4401: "signed-out", 4403: "players-only", 4404: "gone", 4406: "outdated" };

/**
 * Milliseconds to wait before attempt number `attempt` (0, 1, 2 ...), with `random` in [0, 1).
 *
 * @param {number} attempt
 * @param {number} random
 */
export function pause(attempt, random) {
  return Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** attempt) * (0.5 + random / 2);
}

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

/**
 * @template {{type: string}} M the messages of the server
 * @param {object} way
 * @param {string} way.url ws: or wss:
 * @param {(message: M) => void} way.onMessage including pongs
 * @param {(status: Status, detail: string) => void} way.onStatus with what the server said last about an error
 * @param {Outbox} [way.outbox]
 * @param {World} [world]
 */
export function openSocket({ url, onMessage, onStatus, outbox }, world = browser()) {
  return new LivingSocket(url, onMessage, onStatus, outbox, world);
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
    window,
    document,
  };
}

/** @template {{type: string}} M */
class LivingSocket {
  /** @type {Map<string, number>} */
  #timers = new Map();
  /** @type {Connection|null} */
  #socket = null;
  /** @type {Status} */
  #status = "connecting";
  #attempt = 0;
  /** The last error, which comes before a connection is closed for good. @type {{code?: string, detail?: string}} */
  #error = {};

  /**
   * @param {string} url
   * @param {(message: M) => void} onMessage
   * @param {(status: Status, detail: string) => void} onStatus
   * @param {Outbox|undefined} outbox
   * @param {World} world
   */
  constructor(url, onMessage, onStatus, outbox, world) {
    this.url = url;
    this.onMessage = onMessage;
    this.onStatus = onStatus;
    this.outbox = outbox;
    this.world = world;
    world.window.addEventListener("online", () => this.#wake());
    world.window.addEventListener("offline", () => this.#ping());
    world.window.addEventListener("pageshow", () => this.#wake());
    world.document.addEventListener("visibilitychange", () => {
      if (world.document.visibilityState === "visible") {
        this.#wake();
      }
    });
    this.#connect();
  }

  get open() {
    return this.#status === "open" || this.#status === "slow";
  }

  /** Send a message if connected; otherwise it is lost. @param {object} message */
  send(message) {
    if (this.open) {
      this.#socket?.send(JSON.stringify(message));
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

  /** Send a command, and tell if its answer takes long. @param {object} command */
  #expect(command) {
    this.send(command);
    if (this.open) {
      this.#after("slow", SLOW, () => this.#tell("slow"));
    }
  }

  /** Close for good. */
  close() {
    this.#drop();
    this.#tell("gone");
  }

  #connect() {
    this.#drop();
    const socket = this.world.connect(this.url);
    this.#socket = socket;
    socket.onopen = () => this.#opened();
    socket.onmessage = ({ data }) => this.#received(JSON.parse(data));
    socket.onclose = ({ code }) => this.#closed(code);
    this.#after("silence", PING_EVERY, () => this.#closed(0));
  }

  #opened() {
    this.#stop("silence");
    this.#tell("open");
    this.outbox?.all().forEach((command) => this.#expect(command));
    this.#after("ping", PING_EVERY, () => this.#ping());
  }

  /** @param {M} message */
  #received(message) {
    this.#stop("silence");
    this.#attempt = 0;
    if (message.type === "error") {
      this.#error = /** @type {M & {code: string, detail: string}} */ (message);
    } else if (message.type === "accepted" || message.type === "refused") {
      this.#answered(/** @type {M & Answer} */ (message));
    }
    this.onMessage(message);
  }

  /** @param {Answer} message */
  #answered(message) {
    if (UNSETTLED.has(message.code ?? "")) {
      this.#after("command", RETRY_COMMAND, () => this.outbox?.all().forEach((command) => this.send(command)));
    } else {
      this.outbox?.settle(message.id);
      if (this.outbox?.all().length === 0) {
        this.#stop("slow");
        this.#tell("open");
      }
    }
  }

  #ping() {
    if (!this.open) {
      return;
    }
    this.send({ type: "ping", t: this.world.now() });
    if (!this.#timers.has("silence")) {
      this.#after("silence", SILENCE, () => this.#closed(0));
    }
    this.#after("ping", PING_EVERY, () => this.#ping());
  }

  /** @param {number} code */
  #closed(code) {
    this.#drop();
    if (code in FINAL) {
      this.#tell(this.#error.code === "evening-over" ? "evening-over" : FINAL[code]);
      return;
    }
    const restarting = code === RESTARTING || (this.#status === "restarting" && this.#attempt < PATIENCE);
    this.#tell(restarting ? "restarting" : "lost");
    this.#after("retry", pause(this.#attempt, this.world.random()), () => this.#connect());
    this.#attempt += 1;
  }

  /** The network or the tab is back: retry now. */
  #wake() {
    if (this.#timers.has("retry")) {
      this.#connect();
    } else {
      this.#ping();
    }
  }

  /** Drop the connection without waiting for its close event, which a dead one never sends. */
  #drop() {
    [...this.#timers.keys()].forEach((name) => this.#stop(name));
    const socket = this.#socket;
    this.#socket = null;
    if (socket) {
      socket.onopen = socket.onmessage = socket.onclose = null;
      socket.close();
    }
  }

  /** @param {Status} status */
  #tell(status) {
    if (status !== this.#status) {
      this.#status = status;
      this.onStatus(status, this.#error.detail ?? "");
    }
  }

  /** @param {string} name @param {number} ms @param {() => void} what */
  #after(name, ms, what) {
    this.#stop(name);
    const run = () => {
      this.#timers.delete(name);
      what();
    };
    this.#timers.set(name, this.world.setTimeout(run, ms));
  }

  /** @param {string} name */
  #stop(name) {
    const timer = this.#timers.get(name);
    if (timer !== undefined) {
      this.world.clearTimeout(timer);
      this.#timers.delete(name);
    }
  }
}
