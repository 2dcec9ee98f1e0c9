/** The controls of the settings, in the dialog of every page and on the settings page. */

import { find } from "../parts/elements.js";
import { csrfToken, postJson } from "../net/json.js";
import { SETTINGS, applyBoard, applyCoordinates, applySpeed, applyTheme, change, isName, onChange, setting } from "../parts/settings.js";
import { signal } from "../parts/signals.js";

/** @typedef {(name: string, value: string) => Promise<void>} Keeper stores a setting in the account, if there is one */

/* global gettext */

/** @type {Record<string, (value: string) => void>} */
const APPLY = { theme: applyTheme, board: applyBoard, speed: applySpeed, coordinates: applyCoordinates };

/** Samples played when a setting changes. @type {Record<string, import("../parts/sound.js").Name>} */
const SAMPLES = { sound: "mill", volume: "mill", vibration: "your-turn" };

/**
 * Apply settings that change in any tab, and bind the controls in `list`.
 *
 * @param {HTMLElement|null} list
 */
export function bindSettings(list) {
  onChange((name, value) => {
    APPLY[name]?.(value);
    mark(list, name, value);
  });
  if (list) {
    const keeper = createKeeper(list);
    Object.keys(SETTINGS).filter(isName).forEach((name) => mark(list, name, setting(name)));
    list.addEventListener("change", ({ target }) => {
      if (target instanceof HTMLSelectElement && target.id === "setting-language") {
        speak(target);
      } else if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) {
        const name = target.name.replace("setting-", "");
        if (isName(name)) {
          change(name, target.value);
          keeper(name, target.value);
          if (SAMPLES[name]) {
            signal(SAMPLES[name]);
          }
        }
      }
    });
  }
}

/** @param {HTMLElement|null} list @param {string} name @param {string} value */
function mark(list, name, value) {
  /** @type {HTMLInputElement|null|undefined} */
  const input = list?.querySelector(`input[name="setting-${name}"][value="${value}"]`);
  if (input) {
    input.checked = true;
  }
}

/** The server sets the language. @param {HTMLSelectElement} select */
async function speak({ value, dataset }) {
  const body = new URLSearchParams({ language: value });
  const headers = { "X-CSRFToken": csrfToken() };
  await fetch(dataset.address ?? "", { method: "POST", body, headers, redirect: "manual" });
  const here = new URL(location.href);
  if (here.searchParams.has("lang")) {
    here.searchParams.delete("lang");
    location.replace(here);
  } else {
    location.reload();
  }
}

/** @param {HTMLElement} list @returns {Keeper} */
function createKeeper(list) {
  const said = find(list, "#setting-said");
  const account = document.documentElement.dataset.preferences !== undefined;
  return async (name, value) => {
    if (account) {
      const { ok } = await postJson(list.dataset.keep ?? "", new URLSearchParams({ name, value }));
      said.textContent = ok
        ? gettext("Saved.")
        : gettext("Could not save this in your account. It applies on this page only.");
    }
  };
}
