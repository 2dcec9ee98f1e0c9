/** The chat of the match page. It is loaded after the board, which does not depend on it. */

import { byId, find, findAll, part } from "../parts/elements.js";
import { bindForm } from "./form.js";
import { chatLines } from "./lines.js";
import { bindLog } from "./log.js";
import { personDialog } from "./person.js";
import { bindPanel, bindRoomTabs } from "./rooms.js";
import { openUnread } from "./unread.js";
import { freshId, openOutbox } from "../net/outbox.js";
import { sessionStorageOrNull } from "../net/storage.js";

/**
 * @param {HTMLElement} root
 * @param {object} page modules that the page has loaded already
 * @param {typeof import("../net/socket.js").openFeed} page.openFeed
 * @param {typeof import("../net/me.js").onPersonal} page.onPersonal
 */
export function openMatchChat(root, { openFeed, onPersonal }) {
  const me = document.body.dataset.me ?? "";
  /** @type {Record<string, string>} */
  const sentences = JSON.parse(byId("talk-sentences").textContent ?? "");
  /** @type {ReturnType<typeof chatLines<FromChat.TalkLineFields>>} */
  const lines = chatLines();
  const unread = openUnread(`parlour:talk:${root.dataset.match}`, sessionStorageOrNull());
  const openPerson = personDialog(byId("chat-person", HTMLDialogElement));

  /**
   * A preset in the reader's language, unless this page is too old to know it.
   *
   * @param {FromChat.TalkLineFields} line
   */
  const wordsOf = (line) => sentences[line.preset ?? ""] ?? line.text;

  const rooms = findAll(root, "[data-room]").map(bindRoom);
  const tabs = bindRoomTabs(find(root, '[role="tablist"]'), opened);
  const tellUnread = bindPanel(root, opened);
  const feed = openFeed({
    name: "chat",
    outbox: openOutbox("parlour:talk", null),
    onMessage: receive,
    onStatus(status) {
      root.hidden = status === "gone" || status === "players-only";
    },
  });
  onPersonal("silenced", ({ names }) => {
    lines.silence(names);
    show();
    // The server never sent the lines of a user who is no longer muted.
    feed.send({ type: "chat" });
  });
  document.addEventListener("visibilitychange", show);
  root.inert = false;

  /** @param {HTMLElement} element */
  function bindRoom(element) {
    const room = /** @type {FromChat.TalkLineFields["room"]} */ (element.dataset.room);
    const log = find(element, '[role="log"]');
    const form = /** @type {HTMLFormElement|null} */ (element.querySelector("form:not([action])"));
    const showLines = bindLog(log, {
      template: byId("chat-line", HTMLTemplateElement),
      me,
      openPerson: (line) => openPerson({ ...line, text: wordsOf(line) }),
      wordsOf,
      nameOf: (line) => line.called ?? line.name,
    });
    const answered = bindForm(form, (fields) => {
      const command = { ...fields, room, id: freshId() };
      feed.command(command);
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

      /** Whether the user may write here; if not, the panel says until when. @param {boolean} allowed */
      speak(allowed) {
        if (form) {
          form.hidden = !allowed;
          part(element, "later").hidden = allowed;
        }
      },

      /** Only lines that arrive after the room opened are read aloud. @param {boolean} on */
      live(on) {
        log.setAttribute("aria-live", on ? "polite" : "off");
      },

      /** A closed list cannot scroll, so scroll to the end when it opens. */
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

  /** @param {FromChat.Message} message */
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

  /**
   * The rooms that I may read, with their lines; called at first and after changes.
   *
   * @param {FromChat.Rooms} rooms
   */
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
    tabs.count((name) => rooms.find((room) => room.room === name)?.unread() ?? 0);
    tellUnread(rooms.reduce((sum, room) => sum + room.unread(), 0));
  }
}
