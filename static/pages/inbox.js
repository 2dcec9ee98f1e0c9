/** The inbox and its conversations, updated live. */

import "./page.js";
import { byId, find, findAll, made, part } from "../parts/elements.js";
import { postJson } from "../net/json.js";
import { onPersonal } from "../net/me.js";
import { freshId } from "../net/outbox.js";
import { showLocalTimes } from "../parts/local-times.js";
import { refreshLive } from "../parts/refresh.js";

/* global gettext */

const conversation = document.getElementById("conversation");
if (conversation) {
  bindConversation(conversation);
} else {
  bindList();
}
showLocalTimes(document);

/** The list is fetched again whenever something about it has changed. */
function bindList() {
  const refresh = () => refreshLive();
  onPersonal("message", refresh);
  onPersonal("message-gone", refresh);
  onPersonal("unread", refresh);
}

/** @param {HTMLElement} root */
function bindConversation(root) {
  const other = root.dataset.other ?? "";
  const log = byId("messages");
  const form = /** @type {HTMLFormElement|null} */ (document.getElementById("message-form"));
  let seen = true;

  /** @param {FromPersonal.MessageFields} message */
  function add(message) {
    // A page of older messages has no room for new ones.
    if (!("newest" in root.dataset) || log.querySelector(`[data-id="${message.id}"]`)) {
      return;
    }
    const row = made(byId("message", HTMLTemplateElement));
    const mine = message.sender !== other;
    row.dataset.id = String(message.id);
    row.classList.toggle("message-mine", mine);
    part(row, "name").textContent = message.sender;
    part(row, "text").textContent = message.text;
    const time = find(row, "time", HTMLTimeElement);
    time.dateTime = message.at;
    const report = part(row, "report", HTMLAnchorElement);
    showLocalTimes(row);
    report.hidden = mine;
    report.href += `?message=${message.id}&next=${encodeURIComponent(location.pathname)}`;
    const later = findAll(log, "[data-id]").find((each) => Number(each.dataset.id) > message.id);
    log.insertBefore(row, later ?? null);
    byId("no-messages").hidden = true;
    row.scrollIntoView({ block: "nearest" });
  }

  /** Tell the server once the user can see what has come. */
  async function see() {
    if (!seen && document.visibilityState === "visible") {
      seen = true;
      seen = (await postJson(root.dataset.read ?? "")).status !== 0;
    }
  }

  onPersonal("message", ({ message }) => {
    if (message.sender === other || message.recipient === other) {
      add(message);
      seen &&= message.sender !== other;
      see();
    }
  });
  onPersonal("message-gone", ({ id }) => log.querySelector(`[data-id="${id}"]`)?.remove());
  document.addEventListener("visibilitychange", see);
  if (form) {
    bindForm(form, add);
  }
}

/**
 * Send without leaving the page. The text stays in its field until the server has stored it.
 *
 * @param {HTMLFormElement} form
 * @param {(message: FromPersonal.MessageFields) => void} add
 */
function bindForm(form, add) {
  const text = find(form, "textarea", HTMLTextAreaElement);
  const command = find(form, "[name=command]", HTMLInputElement);
  const button = find(form, "[type=submit]", HTMLButtonElement);
  const problem = find(form, ".field-error");

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    // Other listeners would treat it as a form that leaves the page.
    event.stopPropagation();
    if (button.disabled) {
      return;
    }
    button.disabled = true;
    problem.textContent = await send();
    button.disabled = false;
    text.focus();
  });
  text.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      form.requestSubmit();
    }
  });

  /** What is wrong, in words; "" once the message is stored. */
  async function send() {
    const { ok, told } = await postJson(form.action, new URLSearchParams({ command: command.value, text: text.value }));
    if (!ok || !told) {
      return told?.detail ?? gettext("That did not work. Please try again in a moment.");
    }
    add(told);
    text.value = "";
    command.value = freshId();
    return "";
  }
}
