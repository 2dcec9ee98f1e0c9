/** What a person set on this device: kept in localStorage, told to whoever listens, in every tab. */

/** The values of every setting; the first is the default. */
export const SETTINGS = Object.freeze({
  theme: ["system", "light", "dark"],
  speed: ["normal", "slow", "fast", "off"],
});

const PREFIX = "parlour:";

/** @type {Set<(name: string, value: string) => void>} */
const listeners = new Set();

/**
 * @param {keyof typeof SETTINGS} name
 * @returns {string} the value set, or the default where none or nonsense is stored
 */
export function setting(name) {
  const known = SETTINGS[name];
  let stored = null;
  try {
    stored = JSON.parse(localStorage.getItem(PREFIX + name) ?? "null");
  } catch {
    // No storage, or something else's value: the default will do.
  }
  return known.includes(stored) ? stored : known[0];
}

/**
 * @param {keyof typeof SETTINGS} name
 * @param {string} value one of SETTINGS[name]
 */
export function change(name, value) {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // It holds until the page is left.
  }
  tell(name, value);
}

/**
 * @param {(name: string, value: string) => void} listener
 * @returns {() => void} stop listening
 */
export function onChange(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Apply the theme to the document; `system` leaves it to the browser. */
export function applyTheme(value, root = document.documentElement) {
  if (value === "system") {
    delete root.dataset.theme;
  } else {
    root.dataset.theme = value;
  }
}

function tell(name, value) {
  for (const listener of listeners) {
    listener(name, value);
  }
}

if (typeof addEventListener === "function") {
  addEventListener("storage", (event) => {
    const name = event.key?.startsWith(PREFIX) ? event.key.slice(PREFIX.length) : "";
    if (name in SETTINGS) {
      tell(name, setting(name));
    }
  });
}
