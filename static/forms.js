/** Forms that send once, with the token that is good now. */

/** Keep every form of the page from being sent twice by a double press. */
export function guardForms() {
  document.addEventListener("submit", (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (form.dataset.sent) {
      event.preventDefault();
      return;
    }
    form.dataset.sent = "yes";
    renewToken(form);
  });
  // A page that comes back out of the browser's memory may be used again.
  window.addEventListener("pageshow", () => {
    document.querySelectorAll("form[data-sent]").forEach((form) => delete form.dataset.sent);
  });
}

/**
 * Go elsewhere because of some news, but not while a form is on its way: leaving now would throw its
 * answer away, and with it the cookie that makes a guest of whoever sat down.
 */
export function follow(address) {
  if (!document.querySelector("form[data-sent]")) {
    location.assign(address);
  }
}

/** Becoming a guest in another tab gives this one's forms a new token. */
function renewToken(form) {
  const token = document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1];
  if (token && form.elements.csrfmiddlewaretoken) {
    form.elements.csrfmiddlewaretoken.value = token;
  }
}
