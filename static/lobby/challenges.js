/** Challenges, shown on whatever page one is: accept, decline, or look at the terms first. */

/* global gettext, interpolate */

import { renewToken } from "../parts/forms.js";
import { onPersonal } from "../net/me.js";

/** The toasts by table. @type {Map<string, HTMLElement>} */
const toasts = new Map();

/** Show challenges as they come, on pages of somebody who is signed in. */
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

function show(place, table) {
  // The page of the table itself has the same two buttons.
  if (toasts.has(table.id) || document.getElementById("table")?.dataset.table === table.id) {
    return;
  }
  const toast = made();
  const words = interpolate(gettext("%(host)s challenges you: %(title)s"), table, true);
  part(toast, "words").textContent = words;
  part(toast, "terms").textContent = [table.preset, ...table.terms_in_words].join(" · ");
  part(toast, "details").href = `/t/${table.id}`;
  part(toast, "accept").action = `/t/${table.id}/sit`;
  part(toast, "decline").action = `/t/${table.id}/decline`;
  name(toast, "accept", interpolate(gettext("Accept %(host)s’s challenge"), table, true));
  name(toast, "decline", interpolate(gettext("Decline %(host)s’s challenge"), table, true));
  part(toast, "accept").addEventListener("submit", (event) => renewToken(event.target));
  part(toast, "decline").addEventListener("submit", (event) => {
    event.preventDefault();
    decline(event.target, table.id);
  });
  toasts.set(table.id, toast);
  place.append(toast);
}

/** That somebody said no: nothing to decide, only to know. The page of the table says it itself. */
function sayDeclined(place, message) {
  if (document.getElementById("table")?.dataset.table === message.table) {
    return;
  }
  const toast = made();
  const words = gettext("%(name)s declined your challenge: %(title)s");
  part(toast, "words").textContent = interpolate(words, message, true);
  part(toast, "terms").remove();
  toast.querySelector(".cluster").remove();
  place.append(toast);
}

/** Say no without leaving the page. */
async function decline(form, id) {
  renewToken(form);
  try {
    // Where the answer leads does not matter, only that there is one.
    const answer = await fetch(form.action, { method: "POST", body: new FormData(form), redirect: "manual" });
    if (answer.type === "opaqueredirect" || answer.status === 404) {
      remove(id);
      return;
    }
  } catch {
    // The server is away; the challenge is still there.
  }
  delete form.dataset.sent;
  const toast = toasts.get(id);
  if (toast) {
    part(toast, "terms").textContent = gettext("That did not work. Please try it again.");
  }
}

function made() {
  const template = /** @type {HTMLTemplateElement} */ (document.getElementById("challenge-toast"));
  const toast = /** @type {HTMLElement} */ (template.content.firstElementChild.cloneNode(true));
  part(toast, "close").addEventListener("click", () => toast.remove());
  return toast;
}

function remove(id) {
  toasts.get(id)?.remove();
  toasts.delete(id);
}

/** @returns {any} the element of a toast with this data-part */
function part(toast, name) {
  return toast.querySelector(`[data-part="${name}"]`);
}

function name(toast, form, label) {
  part(toast, form).querySelector("button").setAttribute("aria-label", label);
}
