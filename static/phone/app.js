/** The installable app: its service worker, and the notice of a newer version. */

import { byId, find, part } from "../parts/elements.js";
import { onChange } from "../parts/settings.js";

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

/** @param {string} address @param {string} version of this page */
async function follow(address, version) {
  /** @type {ServiceWorkerRegistration} */
  let registration;
  try {
    registration = await navigator.serviceWorker.register(address, { updateViaCache: "none" });
  } catch {
    // No service workers (a private window), or no network: everything else works without.
    return;
  }
  if (!document.body.dataset.me) {
    // The next user of this device must not get the notices of the last one.
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
 * Offer the newer version, but not on a match page: players are not disturbed, and the next page is new anyway.
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
