/** The chat of the lobby: lines as they come, and one's own. */

/* global gettext, interpolate, ngettext */

import { chatLines } from "./chat-lines.js";
import { personDialog } from "./chat-person.js";
import { onPersonal } from "./me.js";
import { freshId, openOutbox } from "./outbox.js";

/** Who has scrolled up further than this, in pixels, reads old lines and is left in peace. */
const NEAR_END = 60;

/**
 * @param {HTMLElement} root
 * @param {string} me my name, "" for a visitor
 * @param {() => {send: (message: any) => void, command: (command: any) => void}} socket
 * @returns what the lobby's socket needs to be told
 */
export function bindChat(root, me, socket) {
  const lines = chatLines();
  const log = root.querySelector("#chat-lines");
  const openPerson = personDialog(document.getElementById("chat-person"));
  const show = showLines(log, root.querySelector("#chat-line"), me, openPerson);
  const told = bindToggle(root);
  const answered = bindForm(root.querySelector("#chat-form"), socket);
  const ask = () => socket().send({ type: "chat" });

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
      default:
        return answered(message);
    }
  }

  function onOther(message) {
    change(message);
    show(lines.shown());
    root.querySelector("#no-lines").hidden = lines.shown().length > 0;
  }

  onPersonal("silenced", ({ names }) => {
    lines.silence(names);
    show(lines.shown());
    // Lines of somebody who is wanted again were never sent.
    ask();
  });
  bindLog(root, log);
  return { onOpen: ask, onOther, outbox: openOutbox("parlour:chat", null) };
}

/** Keep the lines in the document in step with those that are known. */
function showLines(log, template, me, openPerson) {
  const rows = new Map();

  function made(line) {
    const row = template.content.firstElementChild.cloneNode(true);
    row.querySelector("button").addEventListener("click", () => openPerson(row.line));
    row.querySelector("button").hidden = line.name === me;
    row.querySelector("time").dateTime = line.at;
    row.querySelector("time").textContent = clockTime(new Date(line.at), new Date());
    row.querySelector('[data-part="text"]').textContent = line.text;
    return row;
  }

  function fill(row, line) {
    if (row.line?.name !== line.name) {
      row.querySelector('[data-part="name"]').textContent = line.name;
      row.querySelector("button").setAttribute("aria-label", interpolate(gettext("About %(name)s"), line, true));
    }
    row.line = line;
  }

  return function show(lines) {
    const atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < NEAR_END;
    const wanted = new Set(lines.map((line) => line.id));
    for (const [id, row] of rows) {
      if (!wanted.has(id)) {
        if (row.contains(document.activeElement)) {
          log.focus();
        }
        row.remove();
        rows.delete(id);
      }
    }
    lines.forEach((line, place) => {
      const row = rows.get(line.id) ?? made(line);
      rows.set(line.id, row);
      fill(row, line);
      if (log.children[place] !== row) {
        log.insertBefore(row, log.children[place] ?? null);
      }
    });
    oneTabStop(log);
    if (atEnd) {
      log.scrollTop = log.scrollHeight;
    }
  };
}

/** The time of day as the reader's browser writes it, with the day where it is not today's. */
function clockTime(at, now) {
  const today = at.toDateString() === now.toDateString();
  const day = today ? {} : { weekday: "short" };
  return at.toLocaleTimeString([], { ...day, hour: "2-digit", minute: "2-digit" });
}

const buttonsOf = (log) => [...log.querySelectorAll("button:not([hidden])")];

/** Of fifty buttons the Tab key stops at one: the focused one, else the newest. */
function oneTabStop(log) {
  const buttons = buttonsOf(log);
  const stop = buttons.find((button) => button === document.activeElement) ?? buttons.at(-1);
  buttons.forEach((button) => {
    button.tabIndex = button === stop ? 0 : -1;
  });
}

function bindLog(root, log) {
  log.addEventListener("keydown", (event) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const buttons = buttonsOf(log);
    const from = buttons.indexOf(document.activeElement);
    if (step && from >= 0) {
      event.preventDefault();
      buttons[from + step]?.focus();
      oneTabStop(log);
    }
  });
  // Lines are read out to whoever is in the chat, and to nobody who is busy elsewhere.
  root.addEventListener("focusin", () => log.setAttribute("aria-live", "polite"));
  root.addEventListener("focusout", () => log.setAttribute("aria-live", "off"));
}

/**
 * On phones the chat opens by a button, which tells how much was said meanwhile.
 * @returns {() => void} to be called when a line came
 */
function bindToggle(root) {
  const toggle = root.querySelector("#chat-toggle");
  const fresh = root.querySelector("#chat-fresh");
  const body = root.querySelector("#chat-body");
  let unread = 0;

  function tell() {
    fresh.hidden = unread === 0;
    fresh.textContent = interpolate(ngettext("%(unread)s new", "%(unread)s new", unread), { unread }, true);
  }

  toggle.addEventListener("click", () => {
    const open = root.toggleAttribute("data-open");
    toggle.setAttribute("aria-expanded", String(open));
    toggle.querySelector("#chat-toggle-words").textContent = open ? gettext("Close") : gettext("Open");
    const log = root.querySelector("#chat-lines");
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

/**
 * The field in which one speaks. What is refused, or not answered yet, stays in it.
 * @returns {(message: any) => void} to be called with answers
 */
function bindForm(form, socket) {
  const input = form?.querySelector("input");
  let waiting = null;

  function say(problem) {
    form.querySelector("#chat-problem").textContent = problem;
  }

  form?.addEventListener("submit", (event) => {
    event.preventDefault();
    // Other listeners would take it for a form that leaves the page.
    event.stopPropagation();
    if (!waiting && input.value.trim()) {
      waiting = { type: "say", id: freshId(), text: input.value };
      say("");
      socket().command(waiting);
    }
  });
  input?.addEventListener("input", () => say(""));
  return ({ type, id, detail }) => {
    if (waiting?.id !== id) {
      return;
    }
    if (type === "accepted" && input.value === waiting.text) {
      input.value = "";
    }
    say(type === "refused" ? detail : "");
    waiting = null;
  };
}
