/** The chat of the lobby: lines as they come, and one's own. */

/* global gettext, interpolate, ngettext */

import { byId, find } from "../parts/elements.js";
import { bindForm } from "./form.js";
import { chatLines } from "./lines.js";
import { bindLog } from "./log.js";
import { personDialog } from "./person.js";
import { onPersonal } from "../net/me.js";
import { freshId, openOutbox } from "../net/outbox.js";

/** Where it is kept how one left the chat. */
const LEFT = "parlour:chat-open";
/** Where the chat has room of its own; see front.css. */
const WIDE = "(width >= 60rem)";

/**
 * @param {HTMLElement} root
 * @param {string} me my name, "" for a visitor
 * @param {() => {send: (message: ToLobby.Message) => void, command: (command: import("../net/outbox.js").Command) => void}} socket
 * @returns what the lobby's socket needs to be told
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
    // Lines of somebody who is wanted again were never sent.
    ask();
  });
  // Lines are read out to whoever is in the chat, and to nobody who is busy elsewhere.
  root.addEventListener("focusin", () => log.setAttribute("aria-live", "polite"));
  root.addEventListener("focusout", () => log.setAttribute("aria-live", "off"));
  return { onOpen: ask, onOther, outbox: openOutbox("parlour:chat", null) };
}

/**
 * The chat is closed until somebody speaks, or until it is opened, and stays as one left it; the button tells
 * how much was said meanwhile. On a phone it does not open by itself: it would move what one reads.
 *
 * @param {HTMLElement} root
 * @returns {(fresh: boolean) => void} to be called when there is a line, be it `fresh`, or from before or one's own,
 *   which may have been said in another page
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

/** Whether one left the chat open; null if one has never opened or closed it. @returns {boolean|null} */
function asLeft() {
  try {
    return JSON.parse(localStorage.getItem(LEFT) ?? "null");
  } catch {
    return null;
  }
}

/** @param {boolean} open */
function leave(open) {
  try {
    localStorage.setItem(LEFT, JSON.stringify(open));
  } catch {
    // Storage is full or switched off: it holds until the page is left.
  }
}
