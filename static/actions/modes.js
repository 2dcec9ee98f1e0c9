/** Buttons for how the match page looks and sounds: mute, and zen, with the board and the clocks alone. */

import { byId, find } from "../parts/elements.js";

/**
 * @param {string|undefined} sheet the address of their style sheet
 * @param {() => boolean} isLoud whether sounds are on
 * @param {(listener: () => void) => void} onChange calls the listener when a setting has changed
 * @returns {(key: string) => boolean} whether the key was handled
 */
export function bindModes(sheet, isLoud, onChange) {
  document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: sheet }));
  const mute = byId("mute");
  const end = byId("zen-end");
  const dress = () => mute.setAttribute("aria-pressed", String(!isLoud()));
  // The control of the settings, which keeps them in the account as well.
  const toggleSound = () => find(document, `[name="setting-sound"][value="${isLoud() ? "off" : "on"}"]`).click();
  const toggleZen = () => {
    end.hidden = !document.body.toggleAttribute("data-zen");
  };

  mute.addEventListener("click", toggleSound);
  byId("zen").addEventListener("click", () => {
    byId("more", HTMLDialogElement).close();
    toggleZen();
  });
  end.addEventListener("click", toggleZen);
  onChange(dress);
  dress();
  mute.hidden = false;
  return (key) => {
    if (key.toLowerCase() === "q") {
      toggleSound();
    } else if (key.toLowerCase() === "z" || (key === "Escape" && !end.hidden)) {
      toggleZen();
    } else {
      return false;
    }
    return true;
  };
}
