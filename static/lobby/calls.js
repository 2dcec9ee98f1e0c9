/** Invitations back to a match, shown on every page: resume a saved one, or a rematch. Loaded with the first one. */

/* global gettext, interpolate */

import { byId, made, part } from "../parts/elements.js";
import { readJson, sessionStorageOrNull, writeJson } from "../net/storage.js";

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
 * @param {HTMLElement} place
 * @param {() => void} knock called with each invitation
 * @returns {(message: FromPersonal.Message) => void} shows the invitations of a message
 */
export function createCalls(place, knock) {
  /** The toasts by match. @type {Map<string, {toast: HTMLElement, timer: number, kind: string}>} */
  const toasts = new Map();

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
  function show(call) {
    const { match, left, kind } = call;
    remove(match);
    // The page of that match asks the same.
    if (here() === match || isDismissed(call)) {
      return;
    }
    const toast = callToast(call, () => remove(match));
    const timer = left === null ? 0 : setTimeout(() => remove(match), left);
    toasts.set(match, { toast, timer, kind });
    place.append(toast);
    knock();
  }

  return (message) => {
    switch (message.type) {
      case "hello": {
        const open = new Set(message.calls.map((call) => call.match));
        const over = [...toasts].filter(([match, { kind }]) => kind !== "begun" && !open.has(match));
        over.forEach(([match]) => remove(match));
        message.calls.forEach(show);
        break;
      }
      case "call":
        show(message.call);
        break;
      case "begun":
        // The page of the previous match links to it as well.
        if (here() !== message.rematch_of) {
          show({ ...message, kind: "begun", left: null });
        }
        break;
      case "call-over":
        remove(message.match);
        forget(message.match);
    }
  };
}

/** @param {Call} call @param {() => void} remove */
function callToast(call, remove) {
  const toast = made(byId("call-toast", HTMLTemplateElement));
  part(toast, "words").textContent = callWords(call);
  part(toast, "go", HTMLAnchorElement).href = `/m/${call.match}`;
  part(toast, "dismiss").addEventListener("click", () => {
    remove();
    remember({ ...dismissed(), [call.match]: call.left === null ? null : Date.now() + call.left });
  });
  return toast;
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

/** @param {Call} call */
function isDismissed({ match }) {
  const until = dismissed()[match];
  return until === null || (until !== undefined && until > Date.now());
}

/** @param {string} match whose invitation was dismissed */
function forget(match) {
  const { [match]: _, ...others } = dismissed();
  remember(others);
}

/** @returns {Record<string, number|null>} */
function dismissed() {
  return readJson(sessionStorageOrNull(), DISMISSED) ?? {};
}

/** @param {Record<string, number|null>} calls */
function remember(calls) {
  writeJson(sessionStorageOrNull(), DISMISSED, calls);
}
