/** Live parts are updated to fresh HTML without losing what the reader does in them. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage } from "../dom/page.js";

async function open(t, html) {
  const page = await openPage(t, { html: `<div id="live">${html}</div>`, modules: ["parts/morph.js"] });
  const update = (fresh) => {
    const whole = new page.window.DOMParser().parseFromString(`<div id="live">${fresh}</div>`, "text/html");
    page.modules[0].morph(page.find("#live"), whole.getElementById("live"));
  };
  return { page, update };
}

const person = (id) =>
  `<li data-id="${id}">Guest ${id}<details id="rename-${id}"><summary>Rename</summary><form action="/rename">
    <input type="hidden" name="person" value="${id}"><input class="name" name="name" value="Guest ${id}"></form></details></li>`;
const list = (...ids) => `<section aria-labelledby="title"><ul>${ids.map(person).join("")}</ul></section>`;

test("the part equals the fresh one", async (t) => {
  const { page, update } = await open(t, `<p class="lead">1</p>${list(1, 2)}`);
  const fresh = `<h2 id="title">New</h2>${list(3, 2)}<p>2</p>`;
  update(fresh);
  assert.equal(page.find("#live").innerHTML, fresh);
});

test("open fold and typed text stay with the person they are about", async (t) => {
  const { page, update } = await open(t, list(1, 2));
  page.find("#rename-2").open = true;
  await page.type("#rename-2 .name", "Ada", { enter: false });
  update(`<section aria-labelledby="now">Round 1</section>${list(3, 2)}`);
  assert.deepEqual(page.findAll("details[open]").map(({ id }) => id), ["rename-2"]);
  assert.deepEqual(page.findAll(".name").map(({ value }) => value), ["Guest 3", "Ada"]);
  assert.equal(page.document.activeElement, page.find("#rename-2 .name"));
});

test("focus and typed text are kept when rows change places", async (t) => {
  const { page, update } = await open(t, list(1, 2, 3));
  await page.type("#rename-3 .name", "Ada", { enter: false });
  update(list(3, 1, 2));
  assert.equal(page.find("#rename-3 .name").value, "Ada");
  assert.equal(page.document.activeElement, page.find("#rename-3 .name"));
});

test("text that nobody changed follows the server", async (t) => {
  const { page, update } = await open(t, '<input name="name" value="Ada"><textarea name="about">Old</textarea>');
  update('<input name="name" value="Ben"><textarea name="about">New</textarea>');
  assert.deepEqual(page.findAll("input, textarea").map(({ value }) => value), ["Ben", "New"]);
});

test("chosen options and boxes are kept", async (t) => {
  const fields = (...names) =>
    `<select name="person">${names.map((name) => `<option>${name}</option>`).join("")}</select><input type="checkbox" name="rated">`;
  const { page, update } = await open(t, fields("Ada", "Ben", "Cleo"));
  await page.choose("select", "Cleo");
  await page.choose("input");
  update(fields("Ben", "Cleo"));
  assert.equal(page.find("select").value, "Cleo");
  assert.ok(page.find("input").checked);
  update(fields("Ben", "Dan"));
  assert.equal(page.find("select").value, "Ben");
});

test("a button does not become another one", async (t) => {
  const form = (act) => `<form action="/${act}"><button>${act}</button></form>`;
  const { page, update } = await open(t, `<div>${form("enter")}</div>`);
  page.find("button").focus();
  update(`<div>${form("withdraw")}</div>`);
  assert.equal(page.text("button"), "withdraw");
  assert.equal(page.document.activeElement, page.find("#live div"));
  update(`<div>${form("enter")}</div>`);
  assert.equal(page.document.activeElement, page.find("#live div"));
});

test("a form keeps its key and whether it was sent", async (t) => {
  const form = (key, sent = "") => `<form action="/enter"${sent}><input type="hidden" name="key" value="${key}"></form>`;
  const { page, update } = await open(t, form("first", ' data-sent="yes"'));
  update(form("second"));
  assert.equal(page.find("input").value, "first");
  assert.equal(page.find("form").dataset.sent, "yes");
});
