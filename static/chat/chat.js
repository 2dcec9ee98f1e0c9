/** The chat of the lobby. */

/* global gettext, interpolate, ngettext */

import { byId, find } from "../parts/elements.js";
import { bindForm } from "./form.js";
import { chatLines } from "./lines.js";
import { bindLog } from "./log.js";
import { personDialog } from "./person.js";
import { onPersonal } from "../net/me.js";
import { freshId, openOutbox } from "../net/outbox.js";
import { lastingStorageOrNull, readJson, writeJson } from "../net/storage.js";

/** Storage key: whether the chat was left open. */
const LEFT = "parlour:chat-open";
/** The chat has its own column; see front.css. */
const WIDE = "(width >= 60rem)";

/**
 * @param {HTMLElement} root
 * @param {string} me my name, "" for a visitor
 * @param {() => {send: (message: ToLobby.Message) => void, command: (command: import("../net/outbox.js").Command) =>
 *   void}} socket
 * @returns the handlers for the lobby's socket
 */
export function bindChat(root, me, socket) {
  /** @type {ReturnType<typeof chatLines<FromLobby.LineFields>>} */
  const lines = chatLines();
  const log = find(root, "#chat-lines");
  const openPerson = personDialog(byId("chat-person", HTMLDialogElement));
  const show = bindLog(log, { template: byId("chat-line", HTMLTemplateElement), me, openPerson });
  const told = bindToggle(root);
  const answered = bindForm(/** @type {HTMLFormElement|null} */ (root.querySelector("#chat-form")), send);
  const ask = () => socket().send({ type: "chat" });

  /** @param {import("./form.js").Fields} fields */
  function send(fields) {
    const command = { ...fields, id: freshId() };
    socket().command(command);
    return command;
  }

  /** @param {FromLobby.Message|FromEvery.Error} message */
  function change(message) {
    switch (message.type) {
      case "chat":
        return lines.replace(message);
      case "line":
        return lines.add(message.line) ? told(message.line.name !== me) : undefined;
      case "line-gone":
        return lines.drop(message.id);
      case "renamed":
        return lines.rename(message.old, message.new);
      case "accepted":
      case "refused":
        return answered(message);
      default:
        return undefined;
    }
  }

  /** @param {FromLobby.Message|FromEvery.Error} message */
  function onOther(message) {
    change(message);
    show(lines.shown());
    if (message.type === "chat" && lines.shown().length > 0) {
      told(false);
    }
    find(root, "#no-lines").hidden = lines.shown().length > 0;
  }

  onPersonal("silenced", ({ names }) => {
    lines.silence(names);
    show(lines.shown());
    // The server never sent the lines of a user who is no longer muted.
    ask();
  });
  // Read lines aloud only while the focus is in the chat.
  root.addEventListener("focusin", () => log.setAttribute("aria-live", "polite"));
  root.addEventListener("focusout", () => log.setAttribute("aria-live", "off"));
  return { onOpen: ask, onOther, outbox: openOutbox("parlour:chat", null) };
}

/**
 * The chat opens with the first new line or by its button, and remembers its state; the button shows the number of
 * unread lines. On a phone it does not open by itself, since it would move the page.
 *
 * @param {HTMLElement} root
 * @returns {(fresh: boolean) => void} called for each line; `fresh`: neither old nor my own, which may come from
 *   another tab
 */
function bindToggle(root) {
  const toggle = find(root, "#chat-toggle");
  const fresh = find(root, "#chat-fresh");
  const log = find(root, "#chat-lines");
  let unread = 0;

  function tell() {
    fresh.hidden = unread === 0;
    fresh.textContent = interpolate(ngettext("%(unread)s new", "%(unread)s new", unread), { unread }, true);
  }

  /** @param {boolean} open */
  function set(open) {
    root.toggleAttribute("data-open", open);
    toggle.setAttribute("aria-expanded", String(open));
    find(toggle, "#chat-toggle-words").textContent = open ? gettext("Close") : gettext("Open");
    log.scrollTop = log.scrollHeight;
    unread = 0;
    tell();
  }

  toggle.addEventListener("click", () => {
    const open = !root.hasAttribute("data-open");
    set(open);
    leave(open);
  });
  set(asLeft() === true);
  return (isFresh) => {
    if (root.hasAttribute("data-open")) {
      return;
    }
    if (asLeft() === null && matchMedia(WIDE).matches) {
      set(true);
    } else if (isFresh) {
      unread += 1;
      tell();
    }
  };
}

/** Whether the chat was left open; null if it was never opened or closed. @returns {boolean|null} */
function asLeft() {
  return readJson(lastingStorageOrNull(), LEFT);
}

/** @param {boolean} open */
function leave(open) {
  writeJson(lastingStorageOrNull(), LEFT, open);
}
