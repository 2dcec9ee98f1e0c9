/**
 * A socket that comes back by itself.
 *
 * It retries with growing, jittered pauses, at once when the network or the tab comes back; it asks
 * every 10 seconds whether anybody is there and takes 5 seconds of silence for a dead connection;
 * and it sends every command again, with the same id, until it is accepted or refused.
 *
 * @typedef {"connecting"|"open"|"lost"|"restarting"|"gone"|"signed-out"|"players-only"|"outdated"} Status
 */

import { UNSETTLED } from "../match/store.js";

export const PING_EVERY = 10_000;
export const SILENCE = 5_000;
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 15_000;
const RETRY_COMMAND = 1_500;
/** Failed tries after which a restart is no longer believed to be one. */
const PATIENCE = 6;

/** The version of docs/protocol.md that is spoken here. */
export const PROTOCOL = "parlour.v1";

/** Close codes of docs/protocol.md. */
const RESTARTING = 4012;
const FINAL = { 4401: "signed-out", 4403: "players-only", 4404: "gone", 4406: "outdated" };

/** How long to wait before try number `attempt` (0, 1, 2 ...), with `random` in [0, 1). */
export function pause(attempt, random) {
  return Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** attempt) * (0.5 + random / 2);
}

/** A path of this site as the address of a socket. */
export function socketUrl(path, location) {
  const url = new URL(path, location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return url.href;
}

/**
 * @param {object} way
 * @param {string} way.url ws: or wss:
 * @param {(message: any) => void} way.onMessage pings' answers included
 * @param {(status: Status) => void} way.onStatus
 * @param {ReturnType<import("./outbox.js").openOutbox>} [way.outbox]
 * @param {any} [world] where WebSocket, timers and events come from
 */
export function openSocket({ url, onMessage, onStatus, outbox }, world = browser()) {
  return new LivingSocket(url, onMessage, onStatus, outbox, world);
}

function browser() {
  return {
    connect: (url) => new WebSocket(url, PROTOCOL),
    setTimeout: (what, ms) => setTimeout(what, ms),
    clearTimeout: (timer) => clearTimeout(timer),
    random: Math.random,
    now: () => performance.now(),
    window,
    document,
  };
}

class LivingSocket {
  #timers = new Map();
  #socket = null;
  #status = "connecting";
  #attempt = 0;

  constructor(url, onMessage, onStatus, outbox, world) {
    Object.assign(this, { url, onMessage, onStatus, outbox, world });
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
    return this.#status === "open";
  }

  /** Send a message if the connection is up; it is lost otherwise. */
  send(message) {
    if (this.open) {
      this.#socket.send(JSON.stringify(message));
    }
  }

  /** Send a command now or as soon as there is a connection, until it is answered. */
  command(command) {
    this.outbox.add(command);
    this.send(command);
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
    this.outbox?.all().forEach((command) => this.send(command));
    this.#after("ping", PING_EVERY, () => this.#ping());
  }

  #received(message) {
    this.#stop("silence");
    this.#attempt = 0;
    if (message.type === "accepted" || message.type === "refused") {
      this.#answered(message);
    }
    this.onMessage(message);
  }

  #answered(message) {
    if (UNSETTLED.has(message.code)) {
      this.#after("command", RETRY_COMMAND, () => this.outbox?.all().forEach((command) => this.send(command)));
    } else {
      this.outbox?.settle(message.id);
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

  #closed(code) {
    this.#drop();
    if (code in FINAL) {
      this.#tell(FINAL[code]);
      return;
    }
    const restarting = code === RESTARTING || (this.#status === "restarting" && this.#attempt < PATIENCE);
    this.#tell(restarting ? "restarting" : "lost");
    this.#after("retry", pause(this.#attempt, this.world.random()), () => this.#connect());
    this.#attempt += 1;
  }

  /** The network or the tab is back: no reason to wait. */
  #wake() {
    if (this.#timers.has("retry")) {
      this.#connect();
    } else {
      this.#ping();
    }
  }

  /** Forget the connection without waiting for its farewell, which a dead one never sends. */
  #drop() {
    [...this.#timers.keys()].forEach((name) => this.#stop(name));
    const socket = this.#socket;
    this.#socket = null;
    if (socket) {
      socket.onopen = socket.onmessage = socket.onclose = null;
      socket.close();
    }
  }

  #tell(status) {
    if (status !== this.#status) {
      this.#status = status;
      this.onStatus(status);
    }
  }

  #after(name, ms, what) {
    this.#stop(name);
    const run = () => {
      this.#timers.delete(name);
      what();
    };
    this.#timers.set(name, this.world.setTimeout(run, ms));
  }

  #stop(name) {
    if (this.#timers.has(name)) {
      this.world.clearTimeout(this.#timers.get(name));
      this.#timers.delete(name);
    }
  }
}
