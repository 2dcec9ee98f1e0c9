/** The analysis page is refetched until the worker has evaluated every ply. */

import { around, byId, findAll } from "../parts/elements.js";
import { morph } from "../parts/morph.js";
import { createStepper } from "./analysis-board.js";

/* global gettext */

/** Milliseconds between two requests. */
const EVERY = 1_500;
/** The longest wait after requests that found nothing new, or failed. */
const LONGEST = 15_000;

const root = document.getElementById("analysis");
const page = root?.closest("article") ?? null;
const stepper = createStepper(document.getElementById("position"), page);
/** The original HTML of each part that fills in: without what the user has opened or marked since. */
const came = new Map(fillingIn(page).map((part) => [part.id, part.innerHTML]));

/**
 * The wait after a request, in milliseconds.
 * @param {number} before the wait before it
 * @param {boolean} further whether it found anything new
 */
export function nextWait(before, further) {
  return further ? EVERY : Math.min(LONGEST, before * 1.5);
}

const busy = () => root?.getAttribute("aria-busy") === "true";

/** @param {ParentNode|null} page */
function fillingIn(page) {
  return page ? findAll(page, "[data-fills]") : [];
}

/** @param {number} wait */
async function look(wait) {
  let further = false;
  try {
    const answer = await fetch(location.href, { cache: "no-store" });
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    const changed = fillingIn(fresh).filter((part) => part.innerHTML !== came.get(part.id));
    if (answer.ok && changed.length > 0) {
      further = true;
      show(changed);
    }
  } catch {
    // The network is down; try again.
  }
  goOn(nextWait(wait, further));
}

/** Update the parts that changed without moving the reader. @param {HTMLElement[]} parts */
function show(parts) {
  for (const fresh of parts) {
    came.set(fresh.id, fresh.innerHTML);
    const part = byId(fresh.id);
    const height = part.offsetHeight;
    morph(part, fresh);
    // What becomes shorter keeps its room.
    part.style.minHeight = `${height}px`;
  }
  stepper.refresh();
  if (!busy()) {
    byId("said").textContent = gettext("The analysis is complete.");
  }
}

/** @param {number} wait */
function goOn(wait) {
  if (busy()) {
    setTimeout(() => look(wait), wait);
  }
}

goOn(EVERY);

/** A moment shows its position on the board. */
page?.addEventListener("click", (event) => {
  const moment = around(event, "[data-moment]");
  if (moment && stepper.show(Number(moment.dataset.moment))) {
    event.preventDefault();
  }
});
