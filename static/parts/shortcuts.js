/** Keyboard shortcuts outside of text fields; single-character keys can be switched off. */

import { setting } from "./settings.js";

/**
 * @param {Array<(key: string) => boolean>} parts handlers; each returns whether it handled the key
 * @returns {() => void} unbind
 */
export function bindKeys(parts) {
  /** @param {KeyboardEvent} event */
  function onKey(event) {
    const busy = event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented;
    const typing = event.target instanceof Element && event.target.closest("input, textarea, select, dialog");
    const off = event.key.length === 1 && setting("keys") === "off";
    if (!busy && !typing && !off && parts.some((obeys) => obeys(event.key))) {
      event.preventDefault();
    }
  }
  document.addEventListener("keydown", onKey);
  return () => document.removeEventListener("keydown", onKey);
}
