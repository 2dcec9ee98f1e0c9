/** Copying the text of a field, also without the clipboard API; sharing links. */

import { around, find, findAll } from "./elements.js";

/* global gettext */

const SAID_FOR = 2_000;

/** @typedef {HTMLInputElement|HTMLTextAreaElement} Field */

/**
 * A field with the address of this page, to be copied.
 *
 * @param {HTMLElement} root holds a read-only input and a button
 * @param {(sentence: string) => void} say
 */
export function bindShare(root, say) {
  // The server may know an address for other computers.
  find(root, "input", HTMLInputElement).value ||= location.origin + location.pathname;
  bindCopy(root, say);
}

/**
 * @param {HTMLElement} root holds a read-only field and a button that copies its text
 * @param {(sentence: string) => void} say
 */
export function bindCopy(root, say) {
  const input = /** @type {Field} */ (find(root, "input, textarea"));
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

/** Secrets, `[data-secret]`: a field, a button that copies it, and a place to say so. */
export function bindSecrets() {
  for (const secret of findAll(document, "[data-secret]")) {
    const said = find(secret, "[role=status]");
    bindCopy(secret, (sentence) => {
      said.textContent = sentence;
    });
  }
}

/**
 * Buttons `[data-share]` with an address, or "" for this page's, also those added later, and possibly a text. They open
 * the phone's share sheet, or else copy text and address. A hidden button needs the share sheet, and is shown if there is one.
 */
export function bindShareButtons() {
  for (const button of findAll(document, "[data-share]")) {
    button.hidden &&= !("share" in navigator);
  }
  document.addEventListener("click", (event) => {
    const button = around(event, "[data-share]");
    if (button) {
      share(button);
    }
  });
}

/** @param {HTMLElement} button */
async function share(button) {
  const url = new URL(button.dataset.share || location.pathname, location.href).href;
  if (!("share" in navigator)) {
    // If the browser cannot copy, show the address.
    sayOn(button, (await copied([button.dataset.text, url].filter(Boolean).join("\n"))) ? gettext("Copied") : url);
    return;
  }
  try {
    const { title, text } = button.dataset;
    await navigator.share(text ? { title, text, url } : { title, url });
  } catch {
    // The user cancelled.
  }
}

/** @type {WeakMap<HTMLElement, string>} the labels of buttons that show a message for a while */
const labels = new WeakMap();

/** @param {HTMLElement} button @param {string} words */
function sayOn(button, words) {
  const label = labels.get(button) ?? button.textContent ?? "";
  labels.set(button, label);
  button.textContent = words;
  setTimeout(() => {
    button.textContent = label;
  }, SAID_FOR);
}

/** @param {string} text */
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** @param {Field} input */
async function copy(input) {
  if (await copied(input.value)) {
    return true;
  }
  // The clipboard API needs a secure page; a club's own network has none.
  input.select();
  return document.execCommand("copy");
}
