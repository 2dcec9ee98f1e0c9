/** The page of people: how those are whom I follow, and its menus. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage, rendered } from "../dom/page.js";
import { messages } from "../lobby/front.js";

const ROW = "[data-person=Ben]";

async function openPeople(t) {
  const page = await openPage(t, { html: rendered("people"), path: "/people", modules: ["pages/people.js"] });
  const me = await page.feed("me");
  await me.open(messages().hello);
  return { page, me };
}

const ben = (more) => ({ type: "people", people: [{ name: "Ben", online: true, match: null, words: "online", ...more }] });

test("who is followed is seen coming, playing and going", async (t) => {
  const { page, me } = await openPeople(t);
  assert.deepEqual(me.of("people"), [{ type: "people" }]);
  await me.tell(ben());
  assert.equal(page.text(`${ROW} [data-part=words]`), "online");
  assert.ok(page.find(`${ROW} [data-part=presence]`).hasAttribute("data-here"));
  assert.equal(page.shows(`${ROW} [data-part=watch]`), false);
  await me.tell(ben({ match: "others", words: "playing" }));
  assert.equal(page.shows(`${ROW} [data-part=watch]`), true);
  assert.equal(page.find(`${ROW} [data-part=watch]`).getAttribute("href"), "/m/others");
  await me.tell(ben({ online: false, match: "others", words: "in a match, but away" }));
  assert.equal(page.find(`${ROW} [data-part=presence]`).hasAttribute("data-here"), false);
  assert.equal(page.text(`${ROW} [data-part=words]`), "in a match, but away");
});

test("everybody has a link to the people online", () => {
  assert.match(rendered("lobby"), / href="\/people\/online"/);
  assert.match(rendered("lobby-visitor"), / href="\/people\/online"/);
});

test("a new connection asks for the people again", async (t) => {
  const { page, me } = await openPeople(t);
  await me.lose();
  await page.time.pass(5000);
  const again = await page.feed("me");
  await again.open(messages().hello);
  assert.deepEqual(again.of("people"), [{ type: "people" }]);
});

test("Escape closes a menu and gives its button the focus", async (t) => {
  const { page } = await openPeople(t);
  const menu = page.find(`${ROW} details.menu`);
  menu.open = true;
  menu.querySelector(".menu-item").focus();
  await page.press("Escape");
  assert.equal(menu.open, false);
  assert.equal(page.document.activeElement, menu.querySelector("summary"));
});

test("a menu closes by a press elsewhere and when the focus has left it", async (t) => {
  const { page } = await openPeople(t);
  const menu = page.find(`${ROW} details.menu`);
  menu.open = true;
  await page.click("h1");
  assert.equal(menu.open, false);
  menu.open = true;
  page.find(`${ROW} a`).focus();
  assert.equal(menu.open, false);
});

test("the menu has all that one may do about somebody", async (t) => {
  const { page } = await openPeople(t);
  const ways = page.findAll(`${ROW} .menu-body form, ${ROW} .menu-body a`);
  assert.deepEqual(ways.map((way) => way.getAttribute("action") ?? way.getAttribute("href")), [
    "/challenge/Ben",
    "/people/Ben/mute",
    "/people/Ben/block",
    "/people/Ben/report?next=%2Fpeople",
  ]);
});
