/** The front page of Anna in a test, with the sockets that it listens to. */

import { readFileSync } from "node:fs";

import { openPage, rendered } from "../dom/page.js";

const kept = new URL("../../../var/rendered/lobby-messages.json", import.meta.url);

/** What the server tells Anna of the site of the rendered pages, by what it is; others each time. */
export const messages = () => JSON.parse(readFileSync(kept, "utf8"));

/**
 * @param {import("node:test").TestContext} t
 * @param {object} [options] of `openPage`, and
 * @param {string} [options.name] of the rendered page
 * @param {object} [options.lobby] the list that the lobby's socket tells first
 * @param {object} [options.hello] what the personal socket tells first
 */
export async function openFront(t, { name = "lobby", lobby = messages().lobby, hello = messages().hello, ...options } = {}) {
  const page = await openPage(t, { html: rendered(name), modules: ["pages/front.js"], ...options });
  const site = await page.feed("lobby");
  await site.open(lobby, messages().chat);
  const me = name === "lobby" ? await page.feed("me") : null;
  await me?.open(hello, messages().saved);
  return { page, site, me };
}

/** A page other than the front page, with Anna's personal socket. */
export async function openElsewhere(t, { hello = messages().hello, ...options } = {}) {
  const page = await openPage(t, { html: rendered("leaderboards"), path: "/leaderboards", modules: ["pages/plain.js"], ...options });
  const me = await page.feed("me");
  await me.open(hello);
  return { page, me };
}

/** The ids of the rows of a list, in their order. */
export const rows = (page, list) => page.findAll(`#${list} > [data-id]`).map((row) => row.dataset.id);
