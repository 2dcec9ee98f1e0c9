/** The chat of the match page put together. The board neither waits for it nor hears of it. */

import { bindForm } from "./form.js";
import { chatLines } from "./lines.js";
import { bindLog } from "./log.js";
import { personDialog } from "./person.js";
import { bindPanel, bindRoomTabs } from "./rooms.js";
import { openUnread } from "./unread.js";
import { onPersonal } from "../net/me.js";
import { freshId, openOutbox, sessionStorageOrNull } from "../net/outbox.js";
import { openSocket, socketUrl } from "../net/socket.js";

const root = document.getElementById("talk");
const me = document.body.dataset.me ?? "";
const sentences = JSON.parse(document.getElementById("talk-sentences").textContent);
const lines = chatLines();
const unread = openUnread(`parlour:talk:${root.dataset.match}`, sessionStorageOrNull());
const openPerson = personDialog(document.getElementById("chat-person"));

/** A preset in the reader's own language, unless it is newer than this page. */
const wordsOf = (line) => sentences[line.preset] ?? line.text;

const rooms = [...root.querySelectorAll("[data-room]")].map(bindRoom);
const tabs = bindRoomTabs(root.querySelector('[role="tablist"]'), opened);
const tellUnread = bindPanel(root, opened);
const socket = openSocket({
  url: socketUrl(root.dataset.socket, location),
  outbox: openOutbox("parlour:talk", null),
  onMessage: receive,
  onStatus(status) {
    root.hidden = status === "gone" || status === "players-only";
  },
});
onPersonal("silenced", ({ names }) => {
  lines.silence(names);
  show();
  // Lines of somebody who is wanted again were never sent.
  socket.send({ type: "chat" });
});
document.addEventListener("visibilitychange", show);

function bindRoom(element) {
  const room = element.dataset.room;
  const log = element.querySelector('[role="log"]');
  const form = element.querySelector("form:not([action])");
  const showLines = bindLog(log, {
    template: document.getElementById("chat-line"),
    me,
    openPerson: (line) => openPerson({ ...line, text: wordsOf(line) }),
    wordsOf,
  });
  const answered = bindForm(form, (fields) => {
    const command = { ...fields, room, id: freshId() };
    socket.command(command);
    return command;
  });
  let inSight = false;
  new IntersectionObserver(([{ isIntersecting }]) => {
    inSight = isIntersecting;
    show();
  }).observe(log);
  const shown = () => lines.shown().filter((line) => line.room === room);

  return {
    room,
    answered,
    unread: () => unread.count(shown(), me),

    /** Whether one may speak here; where one may read only, it says until when. */
    speak(allowed) {
      if (form) {
        form.hidden = !allowed;
        element.querySelector('[data-part="later"]').hidden = allowed;
      }
    },

    /** Lines that are there when the room opens are not read out; those that come later are. */
    live(on) {
      log.setAttribute("aria-live", on ? "polite" : "off");
    },

    /** What could not be scrolled while it was closed begins where one reads on. */
    toEnd() {
      log.scrollTop = log.scrollHeight;
    },

    show() {
      const now = shown();
      showLines(now);
      if (inSight && document.visibilityState === "visible") {
        unread.see(now);
      }
    },
  };
}

function receive(message) {
  switch (message.type) {
    case "rooms":
      return enter(message);
    case "line":
      lines.add(message.line);
      return show();
    case "line-gone":
      lines.drop(message.id);
      return show();
    case "renamed":
      lines.rename(message.old, message.new);
      return show();
    case "accepted":
    case "refused":
      rooms.forEach((room) => room.answered(message));
  }
}

/** Where I may be, at first and whenever that has changed, with all there is to read. */
function enter({ read, speak, ...list }) {
  rooms.forEach((room) => room.live(false));
  lines.replace(list);
  tabs.open(read);
  rooms.forEach((room) => room.speak(speak.includes(room.room)));
  show();
  requestAnimationFrame(() => rooms.forEach((room) => room.live(true)));
}

function opened() {
  rooms.forEach((room) => room.toEnd());
}

function show() {
  rooms.forEach((room) => room.show());
  tabs.count((name) => rooms.find((room) => room.room === name).unread());
  tellUnread(rooms.reduce((sum, room) => sum + room.unread(), 0));
}
