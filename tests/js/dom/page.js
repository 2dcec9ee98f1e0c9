/**
 * Pages for tests in Node: a window of jsdom, the modules of static/ loaded into it anew for each test, time
 * that the test moves, and a server whose part the test takes.
 *
 *     const page = await openPage(t, { html: '<p id="status"></p>', modules: ["net/banner.js"] });
 *     page.modules[0].createBanner(page.find("#status"))("lost");
 *
 * `rendered("match")` is the HTML of a page as the server writes it; tests/helpers/rendered_pages.py lists
 * them. What is about layout or about the browser itself stays in tests/browser.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { register } from "node:module";

import { JSDOM, VirtualConsole } from "jsdom";

import "../catalogue.js";
import { complete } from "./missing.js";
import { settled, Time } from "./time.js";

register("./hooks.js", import.meta.url);

const SITE = "http://parlour.test";
const BEGINNING = Date.UTC(2026, 0, 1, 12);
/** Real nanoseconds after which a test gives up waiting for what needs no time of the page, such as modules. */
const LONGEST_WAIT = 30_000_000_000n;
const TEXT_FIELDS = "input:not([type=checkbox], [type=radio], [type=button], [type=submit]), textarea";

let pages = 0;
/** The page whose globals are those of the process. @type {Page|null} */
let current = null;

/** The HTML of a page of the site. @param {string} name */
export function rendered(name) {
  return readFileSync(new URL(`../../../var/rendered/${name}.html`, import.meta.url), "utf8");
}

/**
 * Open a page. It closes at the end of the test or when the next one opens, and fails the test if it raised an error
 * that nobody caught.
 *
 * @param {import("node:test").TestContext} t
 * @param {object} [options]
 * @param {string} [options.html]
 * @param {string} [options.path] its address on the site
 * @param {string[]} [options.modules] of static/, loaded in this order
 * @param {string[]} [options.media] the media queries that match; by default nothing moves
 * @param {Record<string, unknown>} [options.settings] of the reader, as their browser keeps them
 * @param {(page: Page) => void} [options.before] called before modules are loaded
 */
export async function openPage(t, { html = "", path = "/", modules = [], media = ["(prefers-reduced-motion: reduce)"], settings = {}, before } = {}) {
  await current?.close();
  pages += 1;
  const page = new Page(pages, html, path, media);
  t.after(() => page.close());
  for (const [name, value] of Object.entries(settings)) {
    page.window.localStorage.setItem(`parlour:${name}`, JSON.stringify(value));
  }
  before?.(page);
  page.modules = [];
  for (const name of modules) {
    page.modules.push(await page.load(name));
  }
  return page;
}

export class Page {
  /** Sockets that were opened, the last one last. @type {Socket[]} */
  sockets = [];
  /** Where scripts, links and forms have led: `{url, method, fields}`. */
  left = [];
  /** Requests by `fetch`: `{url, method, body}`. */
  fetched = [];
  /** What is answered to them, by the beginning of a path. @type {Map<string, (request: object) => Response>} */
  answers = new Map();
  #errors = [];
  #replaced = [];

  constructor(number, html, path, media) {
    this.number = number;
    this.time = new Time(BEGINNING);
    const said = new VirtualConsole();
    said.on("jsdomError", (error) => {
      if (!/not implemented/i.test(error.message)) {
        this.#errors.push(error.detail ?? error);
      }
    });
    this.dom = new JSDOM(html, { url: SITE + path, pretendToBeVisual: true, virtualConsole: said });
    this.window = this.dom.window;
    this.document = this.window.document;
    complete(this.window, { media });
    this.#stopLeaving();
    this.#become();
    current = this;
  }

  /** Load a module of static/ as this page does. @param {string} name @returns {Promise<any>} */
  load(name) {
    return import(`../../../static/${name}?page=${this.number}`);
  }

  /** The first element that fits a selector, which must be there. @param {string} selector */
  find(selector) {
    const found = this.document.querySelector(selector);
    assert.ok(found, `The page has no ${selector}.`);
    return found;
  }

  findAll(selector) {
    return [...this.document.querySelectorAll(selector)];
  }

  /** The text of an element as it is read: without what is hidden, and with single spaces. */
  text(selector) {
    return words(this.find(selector));
  }

  /** Whether an element is there and neither it nor anything around it is hidden. */
  shows(selector) {
    return this.findAll(selector).some((element) => element.checkVisibility());
  }

  /** Press an element that can be pressed: its text is not asked for. @param {string|Element} target */
  async click(target) {
    const element = typeof target === "string" ? this.find(target) : target;
    assert.ok(element.checkVisibility(), `${describe(element)} is hidden.`);
    assert.ok(!element.closest("[inert]"), `${describe(element)} is inert.`);
    assert.ok(!element.disabled, `${describe(element)} is disabled.`);
    const { MouseEvent, PointerEvent = MouseEvent } = this.window;
    const common = { bubbles: true, cancelable: true, composed: true, detail: 1 };
    element.dispatchEvent(new PointerEvent("pointerdown", common));
    element.dispatchEvent(new MouseEvent("mousedown", common));
    element.closest("button, input, a[href], textarea, select, [tabindex]")?.focus();
    element.dispatchEvent(new PointerEvent("pointerup", common));
    element.dispatchEvent(new MouseEvent("mouseup", common));
    element.dispatchEvent(new MouseEvent("click", common));
    await settled();
  }

  /** Press a key where the focus is. @param {string} key @param {object} [more] such as `{shiftKey: true}` */
  async press(key, more = {}) {
    const at = this.document.activeElement ?? this.document.body;
    const event = new this.window.KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more });
    if (at.dispatchEvent(event)) {
      this.#usual(key, at);
    }
    at.dispatchEvent(new this.window.KeyboardEvent("keyup", { key, bubbles: true, ...more }));
    await settled();
  }

  /** What a browser does at a key that no script wanted. */
  #usual(key, at) {
    const dialog = this.findAll("dialog[open]").at(-1);
    if (key === "Escape" && dialog) {
      if (dialog.dispatchEvent(new this.window.Event("cancel", { cancelable: true }))) {
        dialog.close();
      }
    } else if ((key === "Enter" || key === " ") && at.matches("button, summary, a[href]")) {
      at.click();
    } else if (key === "Enter" && at.matches("input")) {
      at.form?.requestSubmit();
    } else if (key.length === 1 && at.matches(TEXT_FIELDS)) {
      this.#fill(at, at.value + key);
    }
  }

  /** Put a text into a field, and with Enter send it. */
  async type(selector, text, { enter = true } = {}) {
    const field = this.find(selector);
    field.focus();
    this.#fill(field, text);
    await (enter ? this.press("Enter") : settled());
  }

  #fill(field, text) {
    field.value = text;
    field.dispatchEvent(new this.window.Event("input", { bubbles: true }));
  }

  /** Check a box or a radio button, or choose an option. */
  async choose(selector, value = true) {
    const field = this.find(selector);
    if (field.matches("select")) {
      field.value = value;
    } else {
      field.checked = value;
    }
    field.dispatchEvent(new this.window.Event("input", { bubbles: true }));
    field.dispatchEvent(new this.window.Event("change", { bubbles: true }));
    await settled();
  }

  /** Wait until something is so that follows from what has happened, without any time passing. */
  async until(condition, what = String(condition)) {
    const end = process.hrtime.bigint() + LONGEST_WAIT;
    while (process.hrtime.bigint() < end) {
      const found = condition();
      if (found) {
        return found;
      }
      await settled();
    }
    return assert.fail(`It never came about: ${what}`);
  }

  /** A feed of the newest socket, once the page has asked for it. @param {string} name @returns {Promise<Feed>} */
  feed(name) {
    return this.until(() => this.sockets.at(-1)?.feeds.get(name), `the feed ${name}`);
  }

  /** Answer requests to a path from now on. @param {string} path @param {unknown} body @param {number} status */
  answer(path, body, status = 200) {
    const json = typeof body !== "string";
    const type = json ? "application/json" : "text/html";
    this.answers.set(path, () => new Response(json ? JSON.stringify(body) : body, { status, headers: { "content-type": type } }));
  }

  async #fetch(address, { method = "GET", body = null, headers = {} } = {}) {
    const url = new URL(String(address?.url ?? address), this.window.location.href);
    const request = { url: url.pathname + url.search, method, body: body instanceof this.window.FormData ? Object.fromEntries(body) : body, headers };
    this.fetched.push(request);
    const answer = [...this.answers].find(([path]) => request.url.startsWith(path))?.[1];
    if (!answer) {
      throw new TypeError(`Nothing answers ${request.url}.`);
    }
    return answer(request);
  }

  /** Nothing leads away from the page: it is noted where to. */
  #stopLeaving() {
    this.window.addEventListener("submit", (event) => {
      const { target: form, submitter } = event;
      if (!event.defaultPrevented && form.method !== "dialog") {
        const fields = Object.fromEntries(new this.window.FormData(form, submitter));
        this.left.push({ url: new URL(submitter?.hasAttribute("formaction") ? submitter.formAction : form.action).pathname, method: form.method, fields });
      }
      event.preventDefault();
    });
    this.window.addEventListener("click", (event) => {
      const link = event.target.closest?.("a[href]");
      if (link && !event.defaultPrevented && !link.getAttribute("href").startsWith("#")) {
        this.left.push({ url: link.getAttribute("href"), method: "get", fields: {} });
        event.preventDefault();
      }
    });
  }

  /** The globals of this window are those of the process, until it closes. */
  #become() {
    const { window } = this;
    const page = this;
    const go = (url) => void this.left.push({ url: String(url), method: "get", fields: {} });
    const target = window.location;
    // Around nothing: what a real location has of its own may not be given another value.
    const location = new Proxy({}, {
      get(_, name) {
        if (name === "assign" || name === "replace") return go;
        if (name === "reload") return () => go(target.href);
        const value = target[name];
        return typeof value === "function" ? value.bind(target) : value;
      },
      set(_, name, value) {
        if (name === "href") {
          go(value);
        } else {
          target[name] = value;
        }
        return true;
      },
    });
    class FakeSocket extends Socket {
      constructor(url, protocol) {
        super(url, protocol);
        page.sockets.push(this);
      }
    }
    const globals = { window, location, WebSocket: FakeSocket, fetch: (...request) => this.#fetch(...request), ...this.time.globals() };
    for (const name of Object.getOwnPropertyNames(window)) {
      if (!(name in globals) && !Object.is(window[name], globalThis[name]) && !/^(_|undefined$|globalThis$|console$|crypto$|performance$|queueMicrotask$|URL$|URLSearchParams$|Headers$|Blob$)/.test(name)) {
        const value = window[name];
        const isMethod = typeof value === "function" && !/^[A-Z]/.test(name);
        this.#define(name, isMethod ? { value: value.bind(window), writable: true } : { get: () => window[name], set: (now) => void (window[name] = now) });
      }
    }
    for (const name of ["addEventListener", "removeEventListener", "dispatchEvent"]) {
      this.#define(name, { value: window[name].bind(window), writable: true });
    }
    for (const [name, value] of Object.entries(globals)) {
      this.#define(name, { value, writable: true });
    }
    const { now } = Date;
    Date.now = () => this.time.epoch + this.time.now;
    this.#replaced.push(() => void (Date.now = now));
  }

  #define(name, descriptor) {
    const before = Object.getOwnPropertyDescriptor(globalThis, name);
    Object.defineProperty(globalThis, name, { configurable: true, enumerable: false, ...descriptor });
    this.#replaced.push(() => (before ? Object.defineProperty(globalThis, name, before) : delete globalThis[name]));
  }

  async close() {
    if (current !== this) {
      return;
    }
    await settled();
    current = null;
    this.#replaced.reverse().forEach((restore) => restore());
    this.window.close();
    if (this.#errors.length > 0) {
      throw this.#errors[0];
    }
  }
}

/** The server's end of a WebSocket. */
export class Socket {
  onopen = null;
  onmessage = null;
  onclose = null;
  isOpen = false;
  isClosed = false;
  /** Those that the page has asked for, by name. @type {Map<string, Feed>} */
  feeds = new Map();

  constructor(url, protocol) {
    this.url = url;
    this.protocol = protocol;
    new URL(url).searchParams.get("feeds").split(" ").forEach((name) => this.#add(name));
  }

  /** What the page says. */
  send(text) {
    const [, name, rest] = /^(\w+) (.*)$/s.exec(text);
    if (name === "open") {
      this.#add(rest);
    } else {
      this.feeds.get(name).receive(JSON.parse(rest));
    }
  }

  close() {
    this.isClosed = true;
  }

  #add(name) {
    this.feeds.set(name, new Feed(this, name));
  }
}

/** The server's end of a feed. */
class Feed {
  /** @type {((message: any) => void)|null} */
  hear = null;
  /** What the page has said, read. @type {any[]} */
  said = [];

  constructor(socket, name) {
    this.socket = socket;
    this.name = name;
  }

  get isClosed() {
    return this.socket.isClosed;
  }

  /** What the page says; `hear` is called with it, if the test set that. */
  receive(message) {
    this.said.push(message);
    // Never before the page has done what it does besides.
    queueMicrotask(() => this.hear?.(message));
  }

  /** Let the connection come about, and tell something. @param {...object} messages */
  async open(...messages) {
    if (!this.socket.isOpen) {
      this.socket.isOpen = true;
      this.socket.onopen?.({});
    }
    await this.tell(...messages);
  }

  /** Tell the page something. @param {...object} messages */
  async tell(...messages) {
    for (const message of messages) {
      this.socket.onmessage?.({ data: `${this.name} ${JSON.stringify(message)}` });
    }
    await settled();
  }

  /** The connection is lost, or closed with a code. */
  async lose(code = 1006) {
    this.socket.onclose?.({ code });
    await settled();
  }

  /** What was said of a type, the newest last. @param {string} type */
  of(type) {
    return this.said.filter((message) => message.type === type);
  }
}

/** What is read of an element. */
function words(element) {
  const copies = [...element.childNodes].map((node) => {
    if (node.nodeType === 3) return node.data;
    return node.nodeType === 1 && !node.hidden && node.localName !== "template" ? words(node) : "";
  });
  return copies.join("").replace(/[ \n\t]+/g, " ").trim();
}

function describe(element) {
  return element.outerHTML.slice(0, 120);
}
