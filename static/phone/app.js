/** The installable app: the colour of its bars, and its service worker, which is looked after once a page has loaded. */

import { find } from "../parts/elements.js";
import { onChange } from "../parts/settings.js";
import { follow } from "./updates.js";

/** Register the service worker if the browser has one: on https and localhost. */
export function bindApp() {
  bindBars();
  if (!("serviceWorker" in navigator)) {
    return;
  }
  const { worker = "", version = "" } = find(document, "link[rel=manifest]", HTMLLinkElement).dataset;
  const begin = () => follow(worker, version);
  // The page's own requests come first.
  if (document.readyState === "complete") {
    begin();
  } else {
    addEventListener("load", begin, { once: true });
  }
}

/** The browser's toolbars have the colour of the page in every theme. */
function bindBars() {
  const paint = () => {
    const { backgroundColor } = getComputedStyle(document.body);
    for (const meta of document.querySelectorAll("meta[name=theme-color]")) {
      meta.setAttribute("content", backgroundColor);
    }
  };
  if (document.documentElement.dataset.theme) {
    paint();
  }
  onChange((name) => name === "theme" && paint());
}
