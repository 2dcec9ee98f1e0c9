/** Quick pairing on the front page: the buttons that start a search and show the wait. */

/* global gettext */

import { around, find, findAll, part } from "../parts/elements.js";
import { tileName } from "./pairing-words.js";
import { onSeek, post, waited } from "./seeking.js";

/**
 * @param {HTMLElement} page holds the forms, `<form data-seek>`, also those added later
 * @param {string} cancelAddress
 * @param {(sentence: string) => void} say
 */
export function bindPairing(page, cancelAddress, say) {
  const buttons = findAll(page, "form[data-seek] [name=tile][aria-pressed]", HTMLButtonElement);
  let searching = false;

  // Rated matches often have other rules: choosing "Rated" changes what the quick button seeks.
  page.addEventListener("change", ({ target }) => {
    if (target instanceof HTMLInputElement && target.name === "rated" && target.form) {
      const chosen = target.value === "yes" ? "rated" : "casual";
      for (const button of findAll(target.form, "[data-of-rated]", HTMLButtonElement)) {
        button.value = (chosen === "rated" ? button.dataset.ofRated : button.dataset.ofCasual) ?? button.value;
        findAll(button, "[data-of]").forEach((words) => (words.hidden = words.dataset.of !== chosen));
      }
    }
  });

  /** @param {import("./seeking.js").Seek|null} seek @param {boolean} paired */
  function show(seek, paired) {
    for (const button of buttons) {
      press(button, seek !== null && button.value === tileName(seek));
    }
    // Also on load, for a visitor whom the previous page made a guest.
    if (seek && !searching) {
      say(gettext("Looking for an opponent. Escape cancels."));
    } else if (searching && !seek && !paired) {
      say(gettext("Search cancelled."));
    }
    searching = Boolean(seek);
  }

  /** @param {HTMLFormElement} form @param {string} address @param {Record<string, string>} fields */
  async function send(form, address, fields) {
    const problem = part(form, "problem");
    problem.hidden = true;
    form.setAttribute("aria-busy", "true");
    const wrong = await post(address, form, fields);
    form.removeAttribute("aria-busy");
    problem.textContent = wrong;
    problem.hidden = wrong === "";
    if (!wrong) {
      // The wait is shown at the bottom of every page.
      form.closest("dialog")?.close();
    }
  }

  page.addEventListener("submit", (event) => {
    const form = event.target;
    // Visitors become guests by an ordinary form post, which loads a new page.
    if (!(form instanceof HTMLFormElement) || !("seek" in form.dataset) || !document.body.dataset.me) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    const tile = event.submitter instanceof HTMLButtonElement ? event.submitter : null;
    if (!form.hasAttribute("aria-busy")) {
      send(form, tile && isPressed(tile) ? cancelAddress : form.action, tile?.name ? { tile: tile.value } : {});
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && searching && !document.querySelector("dialog[open]")) {
      find(document, "#seeking form", HTMLFormElement).requestSubmit();
    }
  });
  page.addEventListener("click", (event) => {
    if (around(event, "[data-dialog]")) {
      findAll(page, "[data-seek] [data-part=problem]").forEach((problem) => (problem.hidden = true));
    }
  });
  onSeek(show);
}

/** @param {HTMLButtonElement} button */
function isPressed(button) {
  return button.getAttribute("aria-pressed") === "true";
}

/** @param {HTMLButtonElement} button @param {boolean} on */
function press(button, on) {
  button.setAttribute("aria-pressed", String(on));
  button.removeAttribute("formaction");
  part(button, "note").hidden = !on;
  part(button, "waited").textContent = on ? waited() : "";
}
