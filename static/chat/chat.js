/** The chat of the lobby: lines as they come, and one's own. */

/* global gettext, interpolate, ngettext */

import { byId, find } from "../parts/elements.js";
import { bindForm } from "./form.js";
import { chatLines } from "./lines.js";
import { bindLog } from "./log.js";
import { personDialog } from "./person.js";
import { onPersonal } from "../net/me.js";
import { freshId, openOutbox } from "../net/outbox.js";

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
        return lines.add(message.line) && message.line.name !== me ? told() : undefined;
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
 * On phones the chat opens by a button, which tells how much was said meanwhile.
 *
 * @param {HTMLElement} root
 * @returns {() => void} to be called when a line came
 */
function bindToggle(root) {
  const toggle = find(root, "#chat-toggle");
  const fresh = find(root, "#chat-fresh");
  const body = find(root, "#chat-body");
  let unread = 0;

  function tell() {
    fresh.hidden = unread === 0;
    fresh.textContent = interpolate(ngettext("%(unread)s new", "%(unread)s new", unread), { unread }, true);
  }

  toggle.addEventListener("click", () => {
    const open = root.toggleAttribute("data-open");
    toggle.setAttribute("aria-expanded", String(open));
    find(toggle, "#chat-toggle-words").textContent = open ? gettext("Close") : gettext("Open");
    const log = find(root, "#chat-lines");
    log.scrollTop = log.scrollHeight;
    unread = 0;
    tell();
  });
  return () => {
    if (body.getClientRects().length === 0) {
      unread += 1;
      tell();
    }
  };
}
