/** Challenges, shown on every page: accept, decline, or look at the terms first. */

/* global gettext, interpolate */

import { byId, find, made, part } from "../parts/elements.js";
import { renewToken } from "../forms/forms.js";
import { onPersonal } from "../net/me.js";
import { signal } from "../parts/signals.js";

/** The toasts by table. @type {Map<string, HTMLElement>} */
const toasts = new Map();

/** Show challenges as they arrive, for signed-in users. */
export function bindChallenges() {
  const place = document.getElementById("challenges");
  if (!place) {
    return;
  }
  const me = document.body.dataset.me;
  onPersonal("hello", ({ challenges }) => {
    const open = new Set(challenges.map((table) => table.id));
    [...toasts.keys()].filter((id) => !open.has(id)).forEach(remove);
    challenges.forEach((table) => show(place, table));
  });
  onPersonal("table", ({ table }) => {
    if (table.invited === me && !table.match) {
      show(place, table);
    } else {
      remove(table.id);
    }
  });
  onPersonal("table-gone", ({ id }) => remove(id));
  onPersonal("declined", (message) => sayDeclined(place, message));
}

/** @param {HTMLElement} place @param {FromPersonal.TableFields} table */
function show(place, table) {
  // The page of that table has the same two buttons.
  if (toasts.has(table.id) || document.getElementById("table")?.dataset.table === table.id) {
    return;
  }
  const toast = create();
  const words = interpolate(gettext("%(host)s challenges you: %(title)s"), table, true);
  part(toast, "words").textContent = words;
  part(toast, "terms").textContent = [table.preset, ...table.terms_in_words].join(" · ");
  part(toast, "details", HTMLAnchorElement).href = `/t/${table.id}`;
  const accept = part(toast, "accept", HTMLFormElement);
  const refuse = part(toast, "decline", HTMLFormElement);
  accept.action = `/t/${table.id}/sit`;
  refuse.action = `/t/${table.id}/decline`;
  name(toast, "accept", interpolate(gettext("Accept %(host)s’s challenge"), table, true));
  name(toast, "decline", interpolate(gettext("Decline %(host)s’s challenge"), table, true));
  accept.addEventListener("submit", () => renewToken(accept));
  refuse.addEventListener("submit", (event) => {
    event.preventDefault();
    decline(refuse, table.id);
  });
  toasts.set(table.id, toast);
  place.append(toast);
  signal("knock");
}

/**
 * Say that a challenge was declined. The page of the table does so itself.
 *
 * @param {HTMLElement} place
 * @param {FromPersonal.Declined} message
 */
function sayDeclined(place, message) {
  if (document.getElementById("table")?.dataset.table === message.table) {
    return;
  }
  const toast = create();
  const words = gettext("%(name)s declined your challenge: %(title)s");
  part(toast, "words").textContent = interpolate(words, message, true);
  part(toast, "terms").remove();
  find(toast, ".cluster").remove();
  place.append(toast);
}

/** Decline without leaving the page. @param {HTMLFormElement} form @param {string} id */
async function decline(form, id) {
  renewToken(form);
  try {
    // Any response will do; the redirect is not followed.
    const answer = await fetch(form.action, { method: "POST", body: new FormData(form), redirect: "manual" });
    if (answer.type === "opaqueredirect" || answer.status === 404) {
      remove(id);
      return;
    }
  } catch {
    // The server is unreachable; the challenge stays.
  }
  delete form.dataset.sent;
  const toast = toasts.get(id);
  if (toast) {
    part(toast, "terms").textContent = gettext("That did not work. Please try again.");
  }
}

function create() {
  const toast = made(byId("challenge-toast", HTMLTemplateElement));
  part(toast, "close").addEventListener("click", () => toast.remove());
  return toast;
}

/** @param {string} id */
function remove(id) {
  toasts.get(id)?.remove();
  toasts.delete(id);
}

/** @param {HTMLElement} toast @param {string} form @param {string} label */
function name(toast, form, label) {
  find(part(toast, form), "button").setAttribute("aria-label", label);
}
