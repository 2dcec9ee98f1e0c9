/** Forms that are sent only once, with a current CSRF token. */

import { csrfToken } from "../net/json.js";
import { findAll } from "../parts/elements.js";

/**
 * Milliseconds for which a sent form is locked. There is no event for a load that the user stopped; the server treats a
 * repeated form as the first.
 */
const HELD = 5000;

/** Protect every form of the page against double presses. */
export function guardForms() {
  document.addEventListener("submit", (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (form.dataset.sent) {
      event.preventDefault();
      return;
    }
    form.dataset.sent = "yes";
    setTimeout(() => delete form.dataset.sent, HELD);
    renewToken(form);
  });
  // A page from the back/forward cache may be used again; Escape stops a load.
  window.addEventListener("pageshow", releaseForms);
  window.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") {
      releaseForms();
    }
  });
}

function releaseForms() {
  findAll(document, "form[data-sent]").forEach((form) => delete form.dataset.sent);
}

/**
 * Navigate because of a message, but not while a form is being sent: leaving would discard its response, and with it
 * the cookie of a new guest.
 *
 * @param {string} address
 */
export function follow(address) {
  if (!document.querySelector("form[data-sent]")) {
    location.assign(address);
  }
}

/** If another tab creates a guest, the forms of this tab need the new token. @param {HTMLFormElement} form */
export function renewToken(form) {
  const token = csrfToken();
  const field = form.elements.namedItem("csrfmiddlewaretoken");
  if (token && field instanceof HTMLInputElement) {
    field.value = token;
  }
}
