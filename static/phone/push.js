/** Push notifications on this device, enabled only by a press. */

/* global gettext */

import { findAll, part } from "../parts/elements.js";
import { postJson } from "../net/json.js";

/** Browser names in the user agent; the first match wins. */
const BROWSERS = ["Firefox", "Edg", "OPR", "SamsungBrowser", "Chrome", "Safari"];
const SYSTEMS = ["Android", "iPhone", "iPad", "Windows", "Mac OS", "CrOS", "Linux"];
/** Common names that differ from the user agent's. @type {Record<string, string>} */
const CALLED = { Edg: "Edge", OPR: "Opera", SamsungBrowser: "Samsung Internet", "Mac OS": "Mac", CrOS: "Chromebook" };

const told = () => gettext("Notifications are on for this device.");

/** @param {HTMLElement} row */
export async function bindPush(row) {
  const button = part(row, "tell");
  const say = (/** @type {string} */ sentence) => {
    part(row, "said").textContent = sentence;
  };
  if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window)) {
    say(gettext("This browser cannot get notifications. They need https; on an iPhone, add Parlour to the home screen first."));
    return;
  }
  button.addEventListener("click", async () => {
    say("");
    const problem = await subscribe(row);
    if (problem) {
      say(problem);
    } else if ("stays" in row.dataset) {
      button.hidden = true;
      say(told());
    } else {
      // The page lists the devices.
      location.reload();
    }
  });
  button.hidden = await isTold();
  if (button.hidden) {
    say(told());
  }
}

/** Whether this browser is one of the listed devices. */
async function isTold() {
  const registration = await navigator.serviceWorker.getRegistration();
  const subscription = await registration?.pushManager.getSubscription();
  return findAll(document, "[data-device]").some((each) => each.dataset.device === subscription?.endpoint);
}

/** @param {HTMLElement} row @returns {Promise<string>} the error, "" on success */
async function subscribe({ dataset: { push = "", address = "" } }) {
  if ((await Notification.requestPermission()) !== "granted") {
    return gettext("Your browser blocks notifications from Parlour. Allow them in the browser’s settings.");
  }
  const { pushManager } = await navigator.serviceWorker.ready;
  /** @type {PushSubscriptionJSON} */
  let subscribed;
  try {
    // The site's key may have changed.
    await (await pushManager.getSubscription())?.unsubscribe();
    const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: push });
    subscribed = subscription.toJSON();
  } catch {
    return gettext("Your browser’s push service does not answer. Try again later.");
  }
  const { p256dh = "", auth = "" } = subscribed.keys ?? {};
  const body = new URLSearchParams({ url: subscribed.endpoint ?? "", p256dh, auth, name: deviceName(navigator.userAgent) });
  const { ok, told } = await postJson(address, body);
  return ok ? "" : (told?.sentence ?? gettext("Parlour is not responding. Try again later."));
}

/** A device name that its owner recognises. @param {string} agent the user agent */
function deviceName(agent) {
  const [browser, system] = [BROWSERS, SYSTEMS].map((names) => names.find((name) => agent.includes(name)) ?? "");
  return [browser, system].map((name) => CALLED[name] ?? name).filter(Boolean).join(" · ") || gettext("A browser");
}
