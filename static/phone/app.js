/** The site as an app: its service worker, and the word that a newer version waits. */

import { byId, find, part } from "../parts/elements.js";
import { onChange } from "../parts/settings.js";

/** Have the service worker look after the pages, if the browser has one: on https, and on one's own computer. */
export function bindApp() {
  bindBars();
  if (!("serviceWorker" in navigator)) {
    return;
  }
  const { worker = "", version = "" } = find(document, "link[rel=manifest]", HTMLLinkElement).dataset;
  const begin = () => follow(worker, version);
  // What the page itself needs comes first.
  if (document.readyState === "complete") {
    begin();
  } else {
    addEventListener("load", begin, { once: true });
  }
}

/** The browser's own bars have the colour of the page, whichever theme was chosen. */
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

/** @param {string} address @param {string} version that of this page */
async function follow(address, version) {
  /** @type {ServiceWorkerRegistration} */
  let registration;
  try {
    registration = await navigator.serviceWorker.register(address, { updateViaCache: "none" });
  } catch {
    // The browser keeps no workers (a private window), or the network is gone: all else works without.
    return;
  }
  if (!document.body.dataset.me) {
    // Whoever comes next at this device is not told what concerned the one before.
    (await registration.pushManager?.getSubscription())?.unsubscribe();
  }
  const ask = () => registration.waiting?.postMessage({ type: "page", version });
  navigator.serviceWorker.addEventListener("message", ({ data }) => {
    if (data.type === "newer") {
      offer(registration);
    }
  });
  ask();
  registration.addEventListener("updatefound", () => {
    registration.installing?.addEventListener("statechange", ask);
  });
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) {
      registration.update().catch(() => {});
    }
  });
}

/**
 * Offer the newer version. Not at a board: whoever plays is not disturbed, and the next page is new anyway.
 *
 * @param {ServiceWorkerRegistration} registration
 */
function offer(registration) {
  if (document.getElementById("match")) {
    return;
  }
  const strip = byId("update");
  part(strip, "reload").addEventListener("click", () => {
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
    registration.waiting?.postMessage({ type: "take-over" });
  });
  part(strip, "later").addEventListener("click", () => {
    strip.hidden = true;
  });
  strip.hidden = false;
}
