/** The page of an analysis fills in while a worker thinks: it is fetched again until nothing is missing. */

import { byId, findAll } from "../parts/elements.js";
import { createStepper } from "./analysis-board.js";

/* global gettext */

/** Milliseconds between two looks at how far the analysis has come. */
const EVERY = 1_500;
/** The longest wait after looks that found nothing new, or failed. */
const LONGEST = 15_000;

const root = document.getElementById("analysis");
const stepper = createStepper(document.getElementById("position"), root);

/**
 * What is to be waited after a look.
 * @param {number} before the wait before it
 * @param {boolean} further whether it found anything new
 */
export function nextWait(before, further) {
  return further ? EVERY : Math.min(LONGEST, before * 1.5);
}

const busy = () => root?.getAttribute("aria-busy") === "true";

/** @param {HTMLElement} root @param {number} wait */
async function look(root, wait) {
  let further = false;
  try {
    const answer = await fetch(location.href, { cache: "no-store" });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.getElementById("analysis");
    if (answer.ok && fresh && fresh.innerHTML !== root.innerHTML) {
      further = true;
      show(root, fresh);
    }
  } catch {
    // The network is away; it is tried again.
  }
  goOn(root, nextWait(wait, further));
}

/** Take over what has come, and leave whoever reads where they are. @param {HTMLElement} root @param {HTMLElement} fresh */
function show(root, fresh) {
  const scrolled = root.querySelector("[role=region]")?.scrollLeft ?? 0;
  const href = root.contains(document.activeElement) ? document.activeElement?.getAttribute("href") : null;
  root.replaceChildren(...fresh.childNodes);
  stepper.refresh();
  root.setAttribute("aria-busy", fresh.getAttribute("aria-busy") ?? "false");
  if (!busy()) {
    byId("said").textContent = gettext("The analysis is complete.");
  }
  root.querySelector("[role=region]")?.scrollTo({ left: scrolled });
  if (href) {
    findAll(root, `[href="${CSS.escape(href)}"]`)[0]?.focus();
  }
}

/** @param {HTMLElement} root @param {number} wait */
function goOn(root, wait) {
  if (busy()) {
    setTimeout(() => look(root, wait), wait);
  }
}

if (root) {
  goOn(root, EVERY);
}
