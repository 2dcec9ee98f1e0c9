/** The installed app: the button that installs it, and the number on its icon. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { messages, openElsewhere } from "../lobby/front.js";

/** The browser offers to install the site; what it was asked to show. */
function offered(page) {
  const shown = [];
  const event = new page.window.Event("beforeinstallprompt", { cancelable: true });
  event.prompt = async () => shown.push(event);
  page.window.dispatchEvent(event);
  assert.ok(event.defaultPrevented, "the browser asks at a moment of its own");
  return shown;
}

test("the site is installed by a press, where the browser can", async (t) => {
  const { page } = await openElsewhere(t);
  page.find("#settings").showModal();
  assert.equal(page.shows("[data-install]"), false);
  const shown = offered(page);
  await page.click("[data-install]");
  assert.equal(shown.length, 1);
  // A prompt can be shown once.
  assert.equal(page.shows("[data-install]"), false);
  offered(page);
  assert.equal(page.shows("[data-install]"), true);
  page.window.dispatchEvent(new page.window.Event("appinstalled"));
  assert.equal(page.shows("[data-install]"), false);
});

test("the icon of the app counts the games that wait for me", async (t) => {
  const badges = [];
  const before = ({ window }) => {
    window.navigator.setAppBadge = async (count) => badges.push(count);
  };
  const { me } = await openElsewhere(t, { hello: { ...messages().hello, waiting: ["one", "two"] }, before });
  await me.tell({ type: "turn", match: "one", mine: false }, { type: "turn", match: "two", mine: false });
  assert.deepEqual(badges, [2, 1, 0]);
});
