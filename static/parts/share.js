/** Copying what stands in a field, also where the browser keeps the clipboard to itself. */

import { find } from "./elements.js";

/* global gettext */

const SAID_FOR = 2_000;

/**
 * The address of this page, to be copied.
 *
 * @param {HTMLElement} root holds a read-only input and a button
 * @param {(sentence: string) => void} say
 */
export function bindShare(root, say) {
  find(root, "input", HTMLInputElement).value = location.origin + location.pathname;
  bindCopy(root, say);
}

/**
 * @param {HTMLElement} root holds a read-only input and a button that copies its text
 * @param {(sentence: string) => void} say
 */
export function bindCopy(root, say) {
  const input = find(root, "input", HTMLInputElement);
  const button = root.querySelector("[data-copy]") ?? find(root, "button");
  const face = button.querySelector("[data-label]") ?? button;
  const label = face.textContent;
  let timer = 0;
  input.addEventListener("focus", () => input.select());
  button.addEventListener("click", async () => {
    const words = (await copy(input)) ? gettext("Copied") : gettext("Press Ctrl+C");
    face.textContent = words;
    say(words);
    clearTimeout(timer);
    timer = setTimeout(() => {
      face.textContent = label;
    }, SAID_FOR);
  });
}

/**
 * What phones offer: send the text of the field with any other program. Elsewhere the button stays hidden.
 *
 * @param {HTMLElement} root holds an input and a button `[data-share]`
 */
export function bindWebShare(root) {
  if (!("share" in navigator)) {
    return;
  }
  const button = find(root, "[data-share]");
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await navigator.share({ title: button.dataset.title, url: find(root, "input", HTMLInputElement).value });
    } catch {
      // Somebody thought better of it.
    }
  });
}

/** @param {HTMLInputElement} input */
async function copy(input) {
  try {
    await navigator.clipboard.writeText(input.value);
    return true;
  } catch {
    // Browsers offer the clipboard on secure pages only; a club's own network is none.
    input.select();
    return document.execCommand("copy");
  }
}
