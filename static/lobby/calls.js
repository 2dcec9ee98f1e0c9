/** Invitations back to a match, shown on every page: resume a saved one, or a rematch. */

/* global gettext, interpolate */

import { byId, made, part } from "../parts/elements.js";
import { onPersonal } from "../net/me.js";
import { readJson, sessionStorageOrNull, writeJson } from "../net/storage.js";
import { signal } from "../parts/signals.js";

/**
 * An invitation, or the match that it led to.
 *
 * @typedef {Omit<FromPersonal.CallFields, "kind"|"by"> & {kind: "resume"|"rematch"|"begun", by?: string}} Call
 */

/**
 * Invitations dismissed in this tab, so that the next page does not repeat them: when each expires, by match; null for
 * never. A later invitation to the same match is another one.
 */
const DISMISSED = "parlour:dismissed-calls";

/**
 * The toasts by match, each with its kind and expiry timer.
 *
 * @type {Map<string, {toast: HTMLElement, timer: number, kind: string}>}
 */
const toasts = new Map();

/** Show invitations as they arrive, for signed-in users. */
export function bindCalls() {
  const place = document.getElementById("challenges");
  if (!place) {
    return;
  }
  onPersonal("hello", ({ calls }) => {
    const open = new Set(calls.map((call) => call.match));
    const over = [...toasts].filter(([match, { kind }]) => kind !== "begun" && !open.has(match));
    over.forEach(([match]) => remove(match));
    calls.forEach((call) => show(place, call));
  });
  onPersonal("call", ({ call }) => show(place, call));
  // The page of the previous match links to it as well.
  onPersonal("begun", (message) => {
    if (here() !== message.rematch_of) {
      show(place, { ...message, kind: "begun", left: null });
    }
  });
  onPersonal("call-over", ({ match }) => {
    remove(match);
    const { [match]: _, ...others } = dismissed();
    remember(others);
  });
}

/** @param {HTMLElement} place @param {Call} call */
function show(place, call) {
  remove(call.match);
  // The page of that match asks the same.
  if (here() === call.match || isDismissed(call)) {
    return;
  }
  const toast = made(byId("call-toast", HTMLTemplateElement));
  part(toast, "words").textContent = callWords(call);
  part(toast, "go", HTMLAnchorElement).href = `/m/${call.match}`;
  part(toast, "dismiss").addEventListener("click", () => {
    remove(call.match);
    remember({ ...dismissed(), [call.match]: call.left === null ? null : Date.now() + call.left });
  });
  const timer = call.left === null ? 0 : setTimeout(() => remove(call.match), call.left);
  toasts.set(call.match, { toast, timer, kind: call.kind });
  place.append(toast);
  signal("knock");
}

/** The sentence of an invitation. @param {Call} call */
export function callWords(call) {
  return interpolate(words(call.kind), call, true);
}

/** @param {Call["kind"]} kind */
function words(kind) {
  switch (kind) {
    case "begun":
      return gettext("Your rematch has begun: %(title)s");
    case "rematch":
      return gettext("%(by)s offers you a rematch: %(title)s");
    default:
      return gettext("%(by)s invites you to resume your saved match: %(title)s");
  }
}

/** The id of the match if this is a match page. */
function here() {
  return document.getElementById("match")?.dataset.match;
}

/** @param {string} match */
function remove(match) {
  const shown = toasts.get(match);
  if (shown) {
    clearTimeout(shown.timer);
    shown.toast.remove();
    toasts.delete(match);
  }
}

/** @param {Call} call */
function isDismissed({ match }) {
  const until = dismissed()[match];
  return until === null || (until !== undefined && until > Date.now());
}

/** @returns {Record<string, number|null>} */
function dismissed() {
  return readJson(sessionStorageOrNull(), DISMISSED) ?? {};
}

/** @param {Record<string, number|null>} calls */
function remember(calls) {
  writeJson(sessionStorageOrNull(), DISMISSED, calls);
}
