/** Forms that send once, with the token that is good now. */

import { findAll } from "../parts/elements.js";

/**
 * How long a form that was sent cannot be sent again, in milliseconds. No event tells that somebody stopped the
 * page; the server takes the second sending of what it began for the first.
 */
const HELD = 5000;

/** Keep every form of the page from being sent twice by a double press. */
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
  // A page that comes back out of the browser's memory may be used again, and one that was stopped by its key.
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
 * Go elsewhere because of some news, but not while a form is on its way: leaving now would throw its
 * answer away, and with it the cookie that makes a guest of whoever sat down.
 *
 * @param {string} address
 */
export function follow(address) {
  if (!document.querySelector("form[data-sent]")) {
    location.assign(address);
  }
}

/** The token that is good now, "" where there is none yet. */
export function csrfToken() {
  return document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1] ?? "";
}

/** Becoming a guest in another tab gives this one's forms a new token. @param {HTMLFormElement} form */
export function renewToken(form) {
  const token = csrfToken();
  const field = form.elements.namedItem("csrfmiddlewaretoken");
  if (token && field instanceof HTMLInputElement) {
    field.value = token;
  }
}
