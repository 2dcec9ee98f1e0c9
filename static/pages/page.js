/** What every page does: dialogs, menus, settings, personal messages. */

import { around, findAll } from "../parts/elements.js";
import { bindApp } from "../phone/app.js";
import { bindLooking } from "../phone/looking.js";
import { onPersonal, openPersonal } from "../net/me.js";
import { bindMute } from "../chat/mute.js";
import { moduleAt } from "../net/module.js";
import { lastingStorageOrNull } from "../net/storage.js";
import { handOver } from "../parts/courses.js";
import { bindMenus } from "../parts/menus.js";
import { bindSeeking } from "../lobby/seeking.js";
import { bindSettings } from "../forms/settings-form.js";
import { bindShareButtons } from "../parts/share.js";
import { signal } from "../parts/signals.js";
import { bindUnread } from "../lobby/unread.js";
import { bindWaiting, onWaiting } from "../lobby/waiting.js";

/** The types of messages that are about invitations. */
const INVITATIONS = /** @type {const} */ (["table", "table-gone", "declined", "call", "begun", "call-over"]);

/**
 * `<button data-dialog="id">` opens the dialog with that id; `<button data-close>` closes the one around it. A link may
 * open one too; on pages without the dialog it is followed.
 */
function bindDialogs() {
  document.addEventListener("click", (event) => {
    const button = around(event, "[data-dialog], [data-close]");
    if (!button) {
      return;
    }
    if (button.dataset.dialog) {
      const dialog = document.getElementById(button.dataset.dialog);
      if (dialog instanceof HTMLDialogElement) {
        event.preventDefault();
        dialog.showModal();
      }
    } else {
      button.closest("dialog")?.close();
    }
  });
  for (const dialog of document.querySelectorAll("dialog")) {
    // A press on the backdrop targets the dialog itself, one inside targets a child.
    dialog.addEventListener("pointerdown", (event) => {
      if (event.target === dialog) {
        dialog.close();
      }
    });
  }
}

/** Loaded only on pages with push settings, which are shown once it is ready. */
async function bindPush() {
  const rows = findAll(document, "[data-push]");
  if (rows.length > 0) {
    /** @type {typeof import("../phone/push.js")} */
    const push = await moduleAt(import.meta.resolve("../phone/push.js"));
    rows.forEach(push.bindPush);
  }
}

/** Loaded only on pages with results that are not settled yet. */
async function bindUnsettled() {
  if (document.querySelector("[data-unsettled]")) {
    /** @type {typeof import("../parts/results.js")} */
    const results = await moduleAt(import.meta.resolve("../parts/results.js"));
    results.bindUnsettled();
  }
}

/** Invitations to matches; loaded when the first one comes. */
function bindInvitations() {
  const place = document.getElementById("challenges");
  if (!place) {
    return;
  }
  /** @type {Promise<(message: FromPersonal.Message) => void>|undefined} */
  let invitations;
  const load = async () => {
    /** @type {typeof import("../lobby/invitations.js")} */
    const { createInvitations } = await moduleAt(import.meta.resolve("../lobby/invitations.js"));
    return createInvitations(place, () => signal("knock"));
  };
  /** @param {FromPersonal.Message} message */
  const show = async (message) => (await (invitations ??= load()))(message);
  onPersonal("hello", (message) => {
    if (invitations || message.challenges.length > 0 || message.calls.length > 0) {
      show(message);
    }
  });
  INVITATIONS.forEach((type) => onPersonal(type, show));
}

/** Offers of tournament matches; loaded when the first one comes. */
function bindNextMatch() {
  /** @type {Promise<typeof import("../lobby/next-match.js")>|undefined} */
  let offers;
  const late = () => (offers ??= moduleAt(import.meta.resolve("../lobby/next-match.js")));
  /** @param {FromPersonal.NextMatchFields} next */
  const offer = async (next) => {
    const { offer, turnsChanged } = await late();
    offer(next, () => signal("knock"));
    turnsChanged(waiting);
  };
  /** @type {Set<string>} */
  let waiting = new Set();
  onWaiting(async (now) => {
    waiting = now;
    (await offers)?.turnsChanged(now);
  });
  onPersonal("hello", async ({ next }) => {
    (await offers)?.keepOnly(next);
    next.forEach(offer);
  });
  onPersonal("next-match", ({ next }) => offer(next));
}

bindDialogs();
bindMenus();
bindSettings(document.getElementById("setting-list"));
bindApp();
bindPush();
bindLooking();
bindInvitations();
bindNextMatch();
bindMute();
bindWaiting();
bindUnread();
bindSeeking();
bindShareButtons();
bindUnsettled();
openPersonal();
void handOver(lastingStorageOrNull(), document.body.dataset.courses);
