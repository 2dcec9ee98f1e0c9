/** Challenges, shown on every page: accept, decline, or look at the terms first. Loaded with the first invitation. */

/* global gettext, interpolate */

import { byId, find, made, part } from "../parts/elements.js";
import { renewToken } from "../forms/forms.js";

/** @typedef {Map<string, HTMLElement>} Toasts by table */

/**
 * @param {HTMLElement} place
 * @param {() => void} knock called with each challenge
 * @returns {(message: FromPersonal.Message) => void} shows the challenges of a message
 */
export function createChallenges(place, knock) {
  /** @type {Toasts} */
  const toasts = new Map();
  /** @param {FromPersonal.TableFields} table */
  const show = (table) => {
    // The page of that table has the same two buttons.
    if (!toasts.has(table.id) && document.getElementById("table")?.dataset.table !== table.id) {
      const toast = challengeToast(toasts, table);
      toasts.set(table.id, toast);
      place.append(toast);
      knock();
    }
  };
  return (message) => {
    switch (message.type) {
      case "hello": {
        const open = new Set(message.challenges.map((table) => table.id));
        [...toasts.keys()].filter((id) => !open.has(id)).forEach((id) => remove(toasts, id));
        message.challenges.forEach(show);
        break;
      }
      case "table":
        if (message.table.invited === document.body.dataset.me && !message.table.match) {
          show(message.table);
        } else {
          remove(toasts, message.table.id);
        }
        break;
      case "table-gone":
        remove(toasts, message.id);
        break;
      case "declined":
        sayDeclined(place, message);
    }
  };
}

/** @param {Toasts} toasts @param {FromPersonal.TableFields} table */
function challengeToast(toasts, table) {
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
    decline(toasts, refuse, table.id);
  });
  return toast;
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

/** Decline without leaving the page. @param {Toasts} toasts @param {HTMLFormElement} form @param {string} id */
async function decline(toasts, form, id) {
  renewToken(form);
  try {
    // Any response will do; the redirect is not followed.
    const answer = await fetch(form.action, { method: "POST", body: new FormData(form), redirect: "manual" });
    if (answer.type === "opaqueredirect" || answer.status === 404) {
      remove(toasts, id);
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

/** @param {Toasts} toasts @param {string} id */
function remove(toasts, id) {
  toasts.get(id)?.remove();
  toasts.delete(id);
}

/** @param {HTMLElement} toast @param {string} form @param {string} label */
function name(toast, form, label) {
  find(part(toast, form), "button").setAttribute("aria-label", label);
}
