/** The page of an analysis fills in while a worker thinks: it is fetched again until nothing is missing. */

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

const busy = () => root.getAttribute("aria-busy") === "true";

async function look(wait) {
  let further = false;
  try {
    const answer = await fetch(location.href, { cache: "no-store" });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.getElementById("analysis");
    further = answer.ok && fresh.innerHTML !== root.innerHTML;
    if (further) {
      show(fresh);
    }
  } catch {
    // The network is away; it is tried again.
  }
  goOn(nextWait(wait, further));
}

/** Take over what has come, and leave whoever reads where they are. */
function show(fresh) {
  const scrolled = root.querySelector("[role=region]")?.scrollLeft ?? 0;
  const href = root.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
  root.replaceChildren(...fresh.childNodes);
  stepper.refresh();
  root.setAttribute("aria-busy", fresh.getAttribute("aria-busy"));
  if (!busy()) {
    document.getElementById("said").textContent = gettext("The analysis is complete.");
  }
  root.querySelector("[role=region]")?.scrollTo({ left: scrolled });
  if (href) {
    root.querySelector(`[href="${CSS.escape(href)}"]`)?.focus();
  }
}

function goOn(wait) {
  if (busy()) {
    setTimeout(() => look(wait), wait);
  }
}

if (root) {
  goOn(EVERY);
}
