/** Keys that work anywhere on the page where nobody is typing; signs only where somebody has not switched them off. */

import { setting } from "../parts/settings.js";

/**
 * @param {Array<(key: string) => boolean>} parts each says whether a key is for it, which it then obeyed
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
