/** Calls back to a match, shown on whatever page one is: go on with a saved one, or play again. */

/* global gettext, interpolate */

import { onPersonal } from "./me.js";
import { sessionStorageOrNull } from "./outbox.js";

/**
 * Calls that I waved away in this tab, so that the next page does not repeat them: when each ends, by match,
 * null for never. A later call to the same match is another one.
 */
const DISMISSED = "parlour:dismissed-calls";

/** The toasts by match, and what takes each away when its time is over. */
const toasts = new Map();

/** Show calls as they come, on pages of somebody who is signed in. */
export function bindCalls() {
  const place = document.getElementById("challenges");
  if (!place) {
    return;
  }
  onPersonal("hello", ({ calls }) => {
    const open = new Set(calls.map((call) => call.match));
    [...toasts.keys()].filter((match) => !open.has(match)).forEach(remove);
    calls.forEach((call) => show(place, call));
  });
  onPersonal("call", ({ call }) => show(place, call));
  onPersonal("call-over", ({ match }) => {
    remove(match);
    const { [match]: _, ...others } = dismissed();
    remember(others);
  });
}

function show(place, call) {
  remove(call.match);
  // The page of the match itself asks the same.
  if (document.getElementById("match")?.dataset.match === call.match || isDismissed(call)) {
    return;
  }
  const template = /** @type {HTMLTemplateElement} */ (document.getElementById("call-toast"));
  const toast = /** @type {HTMLElement} */ (template.content.firstElementChild.cloneNode(true));
  const part = (name) => /** @type {any} */ (toast.querySelector(`[data-part="${name}"]`));
  part("words").textContent = callWords(call);
  part("go").href = `/m/${call.match}`;
  part("dismiss").addEventListener("click", () => {
    remove(call.match);
    remember({ ...dismissed(), [call.match]: call.left === null ? null : Date.now() + call.left });
  });
  const timer = call.left === null ? 0 : setTimeout(() => remove(call.match), call.left);
  toasts.set(call.match, { toast, timer });
  place.append(toast);
}

/** Who asks for what. */
export function callWords(call) {
  const words =
    call.kind === "rematch"
      ? gettext("%(by)s offers you a rematch: %(title)s")
      : gettext("%(by)s asks you to go on with your saved match: %(title)s");
  return interpolate(words, call, true);
}

function remove(match) {
  const shown = toasts.get(match);
  if (shown) {
    clearTimeout(shown.timer);
    shown.toast.remove();
    toasts.delete(match);
  }
}

function isDismissed({ match }) {
  const until = dismissed()[match];
  return until === null || until > Date.now();
}

/** @returns {Record<string, number|null>} */
function dismissed() {
  try {
    return JSON.parse(sessionStorageOrNull()?.getItem(DISMISSED) ?? "{}");
  } catch {
    return {};
  }
}

function remember(calls) {
  try {
    sessionStorageOrNull()?.setItem(DISMISSED, JSON.stringify(calls));
  } catch {
    // Storage is full or switched off: at worst the next page asks once more.
  }
}
