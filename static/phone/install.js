/** Installing the site as an app, in browsers that let a page ask for it. */

import { findAll } from "../parts/elements.js";

/** Show the install buttons while the browser would install the site. */
export function bindInstall() {
  /** @type {Phone.InstallPrompt|null} */
  let prompt = null;
  const buttons = findAll(document, "[data-install]");
  const become = (/** @type {Phone.InstallPrompt|null} */ now) => {
    prompt = now;
    buttons.forEach((button) => {
      button.hidden = prompt === null;
    });
  };
  addEventListener("beforeinstallprompt", (event) => {
    // Otherwise the browser chooses the moment.
    event.preventDefault();
    become(/** @type {Phone.InstallPrompt} */ (event));
  });
  addEventListener("appinstalled", () => become(null));
  for (const button of buttons) {
    button.addEventListener("click", () => {
      prompt?.prompt();
      // A prompt can be shown once; the browser sends another one if it was declined.
      become(null);
    });
  }
}
