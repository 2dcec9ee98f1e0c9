import assert from "node:assert/strict";
import { test } from "node:test";

import { openOutbox } from "../../../static/net/outbox.js";
import { pause } from "../../../static/net/pause.js";
import { PING_EVERY, PageSocket, SILENCE, openFeed, socketUrl } from "../../../static/net/socket.js";

/** A browser in which time passes when it is told to. */
function world() {
  let now = 0;
  let nth = 0;
  const timers = new Map();
  const target = () => {
    const listeners = {};
    return {
      addEventListener: (name, listener) => (listeners[name] ??= []).push(listener),
      fire: (name) => (listeners[name] ?? []).forEach((listener) => listener()),
    };
  };
  const made = {
    sockets: [],
    statuses: [],
    messages: [],
    window: target(),
    document: Object.assign(target(), { visibilityState: "visible" }),
    random: () => 0.5,
    now: () => now,
    soon: (what) => what(),
    setTimeout(what, ms) {
      nth += 1;
      timers.set(nth, { what, at: now + ms });
      return nth;
    },
    clearTimeout: (timer) => timers.delete(timer),
    pass(ms) {
      const end = now + ms;
      for (;;) {
        const [id, next] = [...timers].sort((a, b) => a[1].at - b[1].at)[0] ?? [0, { at: Infinity }];
        if (next.at > end) {
          break;
        }
        now = next.at;
        timers.delete(id);
        next.what();
      }
      now = end;
    },
    connect(url) {
      const socket = { url, sent: [], closed: false, send: (text) => socket.sent.push(text.startsWith("x ") ? JSON.parse(text.slice(2)) : text) };
      socket.close = () => {
        socket.closed = true;
      };
      socket.open = () => socket.onopen();
      socket.say = (message, name = "x ") => socket.onmessage({ data: name + JSON.stringify(message) });
      socket.end = (code) => socket.onclose({ code });
      made.sockets.push(socket);
      return socket;
    },
    get last() {
      return made.sockets.at(-1);
    },
  };
  return made;
}

function opened(way = {}) {
  const here = world();
  const outbox = openOutbox("o", null);
  const page = new PageSocket("ws://x/", here);
  const socket = openFeed(
    { name: "x", outbox, onMessage: (m) => here.messages.push(m), onStatus: (s) => here.statuses.push(s), ...way },
    page,
  );
  return { here, page, socket, outbox };
}

function connected() {
  const all = opened();
  all.here.last.open();
  all.here.last.say({ type: "snapshot" });
  return all;
}

/** Let time pass until the next try; how many milliseconds that took. */
function untilNextTry(here) {
  const [tries, start] = [here.sockets.length, here.now()];
  while (here.sockets.length === tries) {
    here.pass(25);
  }
  return here.now() - start;
}

const MOVE = { type: "move", id: "command-1", after: 0, move: "3" };

test("pauses grow and stay below a limit", () => {
  assert.deepEqual([0, 1, 2, 10].map((attempt) => pause(attempt, 1)), [500, 1000, 2000, 4000]);
});

test("pauses differ by chance", () => {
  assert.equal(pause(0, 0), 250);
});

test("the socket's address follows the page's scheme", () => {
  assert.equal(socketUrl("/ws/x", { href: "https://a.example/m/1" }), "wss://a.example/ws/x");
  assert.equal(socketUrl("/ws/x", { href: "http://a.example:8000/m/1" }), "ws://a.example:8000/ws/x");
  assert.equal(socketUrl("/ws/x?y=1", { href: "https://a.example/" }, "ru"), "wss://a.example/ws/x?y=1&lang=ru");
});

test("a message is sent only while there is a connection", () => {
  const { here, socket } = opened();
  socket.send({ type: "sync", after: 0 });
  here.last.open();
  assert.deepEqual(here.last.sent, []);
});

test("a command waits for the connection", () => {
  const { here, socket } = opened();
  socket.command(MOVE);
  here.last.open();
  assert.deepEqual(here.last.sent, [MOVE]);
});

test("a command without an answer is sent again, unchanged, on the next connection", () => {
  const { here, socket } = connected();
  socket.command(MOVE);
  here.last.end(1006);
  here.pass(1000);
  here.last.open();
  assert.deepEqual(here.last.sent, [MOVE]);
});

test("a command that is not answered within a second is slow, until it is answered", () => {
  const { here, socket } = connected();
  socket.command(MOVE);
  here.pass(999);
  assert.equal(here.statuses.at(-1), "open");
  here.pass(1);
  assert.equal(here.statuses.at(-1), "slow");
  assert.ok(socket.open);
  here.last.say({ type: "accepted", id: MOVE.id, ply: 1 });
  assert.equal(here.statuses.at(-1), "open");
});

test("a command that is answered in time is never slow", () => {
  const { here, socket } = connected();
  socket.command(MOVE);
  here.pass(500);
  here.last.say({ type: "accepted", id: MOVE.id, ply: 1 });
  here.pass(1000);
  assert.ok(!here.statuses.includes("slow"));
});

test("an accepted command is not sent again", () => {
  const { here, socket } = connected();
  socket.command(MOVE);
  here.last.say({ type: "accepted", id: MOVE.id, ply: 1 });
  here.last.end(1006);
  here.pass(1000);
  here.last.open();
  assert.deepEqual(here.last.sent, []);
});

test("a refused command is not sent again", () => {
  const { outbox, here, socket } = connected();
  socket.command(MOVE);
  here.last.say({ type: "refused", id: MOVE.id, code: "stale", detail: "" });
  assert.deepEqual(outbox.all(), []);
});

test("a command the server could not store is sent again after a while", () => {
  const { here, socket } = connected();
  socket.command(MOVE);
  here.last.say({ type: "refused", id: MOVE.id, code: "unavailable", detail: "" });
  here.pass(2000);
  assert.deepEqual(here.last.sent, [MOVE, MOVE]);
});

test("a message that was not understood is not sent for ever", () => {
  const { outbox, here, socket } = connected();
  socket.command(MOVE);
  here.last.say({ type: "refused", id: null, code: "malformed", detail: "" });
  assert.deepEqual(outbox.all(), []);
});

test("commands outlive the page", () => {
  const kept = new Map();
  const storage = { getItem: (k) => kept.get(k) ?? null, setItem: (k, v) => kept.set(k, v) };
  openOutbox("o", storage).add(MOVE);
  assert.deepEqual(openOutbox("o", storage).all(), [MOVE]);
  assert.deepEqual(openOutbox("other", storage).all(), []);
});

test("nonsense in the storage is no command", () => {
  assert.deepEqual(openOutbox("o", { getItem: () => "{", setItem() {} }).all(), []);
});

test("the server is asked every ten seconds whether it is there", () => {
  const { here } = connected();
  here.pass(PING_EVERY);
  assert.deepEqual(here.last.sent, [{ type: "ping", t: PING_EVERY }]);
});

test("five seconds of silence after a ping are a dead connection", () => {
  const { here } = connected();
  here.pass(PING_EVERY + SILENCE);
  assert.equal(here.sockets[0].closed, true);
  assert.deepEqual(here.statuses, ["open", "lost"]);
});

test("any message is a sign of life", () => {
  const { here } = connected();
  here.pass(PING_EVERY);
  here.last.say({ type: "pong", t: 1, ply: 0 });
  here.pass(SILENCE);
  assert.deepEqual(here.statuses, ["open"]);
});

test("a connection that is never made is given up", () => {
  const { here } = opened();
  here.pass(PING_EVERY);
  assert.deepEqual(here.statuses, ["lost"]);
});

test("failed tries come at growing distances", () => {
  const { here } = opened();
  const times = [];
  for (let i = 0; i < 4; i += 1) {
    here.last.end(1006);
    times.push(untilNextTry(here));
  }
  assert.deepEqual(times, [375, 750, 1500, 3000]);
});

test("a connection that says something starts the pauses afresh", () => {
  const { here } = opened();
  for (let i = 0; i < 5; i += 1) {
    here.last.end(1006);
    untilNextTry(here);
  }
  here.last.open();
  here.last.say({ type: "snapshot" });
  here.last.end(1006);
  assert.equal(untilNextTry(here), 375);
});

test("a connection that is accepted and closed at once does not", () => {
  const { here } = opened();
  for (let i = 0; i < 5; i += 1) {
    here.last.open();
    here.last.end(1006);
    untilNextTry(here);
  }
  here.last.open();
  here.last.end(1006);
  assert.ok(untilNextTry(here) >= 2_000);
});

test("when the network is back there is no waiting", () => {
  const { here } = opened();
  here.last.end(1006);
  here.window.fire("online");
  assert.equal(here.sockets.length, 2);
});

test("when the tab is looked at again there is no waiting", () => {
  const { here } = opened();
  here.last.end(1006);
  here.document.fire("visibilitychange");
  assert.equal(here.sockets.length, 2);
});

test("a tab that is looked at again asks at once whether its connection still lives", () => {
  const { here } = connected();
  here.document.fire("visibilitychange");
  assert.equal(here.last.sent[0].type, "ping");
});

test("a restart is told as one while it lasts", () => {
  const { here } = connected();
  here.last.end(4012);
  here.pass(1000);
  here.last.end(1006);
  assert.deepEqual(here.statuses, ["open", "restarting"]);
});

test("a restart that takes too long is a lost connection", () => {
  const { here } = connected();
  here.last.end(4012);
  for (let i = 0; i < 8; i += 1) {
    untilNextTry(here);
    here.last.end(1006);
  }
  assert.equal(here.statuses.at(-1), "lost");
});

test("an unknown match is not asked for again", () => {
  const { here } = opened();
  here.last.open();
  here.last.say({ type: "closed", code: 4404 });
  here.pass(60_000);
  here.window.fire("online");
  assert.deepEqual([here.sockets.length, here.statuses.at(-1)], [1, "gone"]);
});

test("a server of an older version, which does not know the address of a page, is asked until it is replaced", () => {
  const { here } = opened();
  const times = [];
  for (let i = 0; i < 5; i += 1) {
    here.last.open();
    here.last.say({ type: "error", code: "unknown-address" }, "");
    here.last.end(4404);
    assert.equal(here.statuses.at(-1), "restarting");
    times.push(untilNextTry(here));
  }
  assert.deepEqual(times, [375, 750, 1500, 3000, 3000]);
  here.last.open();
  here.last.say({ type: "snapshot" });
  assert.equal(here.statuses.at(-1), "open");
});

test("who was signed out is told so", () => {
  const { here } = connected();
  here.last.end(4401);
  assert.equal(here.statuses.at(-1), "signed-out");
});

test("a guest of an evening that is erased is told that it is over", () => {
  const { here } = connected();
  here.last.say({ type: "error", code: "evening-over", detail: "" }, "");
  here.last.end(4401);
  here.pass(60_000);
  assert.deepEqual([here.sockets.length, here.statuses.at(-1)], [1, "evening-over"]);
});

test("a page that speaks a version the server does not know is told so, and does not ask again", () => {
  const { here } = connected();
  here.last.end(4406);
  here.pass(60_000);
  assert.deepEqual([here.sockets.length, here.statuses.at(-1)], [1, "outdated"]);
});

test("a connection that was given up is not listened to", () => {
  const { here } = connected();
  const old = here.last;
  here.pass(PING_EVERY + SILENCE);
  assert.equal(old.onmessage, null);
});

/** A second feed beside the first. */
function another(page, name = "y") {
  const told = { messages: [], statuses: [] };
  openFeed({ name, onMessage: (m) => told.messages.push(m), onStatus: (s) => told.statuses.push(s) }, page);
  return told;
}

test("feeds that are opened together are named in the address", () => {
  const here = world();
  const waiting = [];
  here.soon = (what) => waiting.push(what);
  const page = new PageSocket("ws://x/", here);
  another(page, "me");
  another(page, "lobby");
  waiting.forEach((what) => what());
  assert.equal(here.sockets.length, 1);
  assert.equal(new URL(here.last.url).searchParams.get("feeds"), "me lobby");
});

test("a later feed is asked for, and named in the address of the next connection", () => {
  const { here, page } = connected();
  const told = another(page);
  assert.deepEqual([here.last.sent, told.statuses], [["open y"], ["open"]]);
  here.last.end(1006);
  untilNextTry(here);
  assert.equal(new URL(here.last.url).searchParams.get("feeds"), "x y");
});

test("a feed that is opened while there is no connection is asked for by the next", () => {
  const { here, page } = connected();
  here.last.end(1006);
  const told = another(page);
  untilNextTry(here);
  here.last.open();
  assert.deepEqual([here.sockets.length, told.statuses], [2, ["lost", "open"]]);
  assert.equal(new URL(here.last.url).searchParams.get("feeds"), "x y");
});

test("a message goes to its feed, and one without a feed to all", () => {
  const { here, page } = connected();
  const told = another(page);
  here.last.say({ type: "a b" }, "y ");
  here.last.say({ type: "error" }, "");
  assert.deepEqual(told.messages, [{ type: "a b" }, { type: "error" }]);
  assert.deepEqual(here.messages, [{ type: "snapshot" }, { type: "error" }]);
});

test("a feed that the server ends stays ended, and the others go on", () => {
  const { here, page } = connected();
  const told = another(page);
  here.last.say({ type: "closed", code: 4403 }, "y ");
  here.last.end(1006);
  untilNextTry(here);
  here.last.open();
  assert.equal(new URL(here.last.url).searchParams.get("feeds"), "x");
  assert.deepEqual(told.statuses, ["open", "players-only"]);
  assert.deepEqual(here.statuses, ["open", "lost", "open"]);
});

test("a feed that fails is asked for again on the same connection, and the others go on", () => {
  const { here, page } = connected();
  const told = another(page);
  here.last.say({ type: "error", code: "internal-error" }, "y ");
  here.last.say({ type: "closed", code: 4500 }, "y ");
  here.pass(1499);
  assert.deepEqual(here.last.sent, ["open y"]);
  here.pass(1);
  assert.deepEqual(here.last.sent, ["open y", "open y"]);
  here.last.say({ type: "closed", code: 4012 }, "y ");
  here.pass(1500);
  assert.deepEqual(told.statuses, ["open", "lost", "open", "restarting", "open"]);
  assert.deepEqual([here.sockets.length, here.statuses], [1, ["open"]]);
});

test("a feed that fails before the connection is lost is asked for by the next one", () => {
  const { here, page } = connected();
  another(page);
  here.last.say({ type: "closed", code: 4500 }, "y ");
  here.last.end(1006);
  untilNextTry(here);
  here.last.open();
  assert.equal(new URL(here.last.url).searchParams.get("feeds"), "x y");
  here.pass(2000);
  assert.deepEqual(here.last.sent, []);
});

test("a command of a feed that fails is sent again when the feed is back", () => {
  const { here, socket } = connected();
  socket.command(MOVE);
  here.last.say({ type: "closed", code: 4012 });
  here.pass(1500);
  assert.deepEqual(here.last.sent, [MOVE, "open x", MOVE]);
});

test("a page whose feeds have all ended stays without a connection until it opens another", () => {
  const { here, page } = connected();
  here.last.say({ type: "closed", code: 4403 });
  assert.equal(here.last.closed, true);
  here.pass(PING_EVERY + SILENCE);
  here.window.fire("pageshow");
  assert.equal(here.sockets.length, 1);
  another(page);
  assert.equal(here.sockets.length, 2);
  assert.equal(new URL(here.last.url).searchParams.get("feeds"), "y");
});
