// The service worker (/sw.js brings `SHELL` and then this). It answers for a page only where the network does
// not, and then says so: what stands in a match is never told from memory.
{
  const worker = /** @type {Phone.Worker} */ (/** @type {unknown} */ (globalThis));
  const { version, offline, kept, icon } = worker.SHELL;
  const NAME = `parlour-${version}`;

  /** A file whose name has the hash of what is in it can never be out of date. */
  const HASHED = /\.[0-9a-f]{12}\.\w+$/;

  const fetchShell = async () => {
    const cache = await caches.open(NAME);
    // As a stranger: the page without a network says nothing of anybody.
    await cache.addAll(kept.map((address) => new Request(address, { credentials: "omit", cache: "no-cache" })));
  };

  const settle = async () => {
    for (const name of await caches.keys()) {
      if (name !== NAME) {
        await caches.delete(name);
      }
    }
    // The page is asked for while this program starts.
    await worker.registration.navigationPreload?.enable();
  };

  /** @param {Phone.FetchEvent} event */
  const page = async ({ request, preloadResponse }) => {
    try {
      return (await preloadResponse) ?? (await fetch(request));
    } catch {
      return (await caches.match(offline, { ignoreVary: true })) ?? Response.error();
    }
  };

  /** @param {Request} request */
  const hashed = async (request) => {
    const cache = await caches.open(NAME);
    const known = await cache.match(request, { ignoreVary: true });
    if (known) {
      return known;
    }
    const answer = await fetch(request);
    if (answer.ok) {
      await cache.put(request, answer.clone());
    }
    return answer;
  };

  /** Files as they are written, while developing: of these only what the page without a network needs. */
  const unhashed = async (/** @type {Request} */ request) => {
    try {
      return await fetch(request);
    } catch {
      return (await caches.match(request, { ignoreVary: true })) ?? Response.error();
    }
  };

  /** The pages of this site that stand at a path. @param {string} path */
  const pagesAt = async (path) => {
    const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
    return pages.filter((page) => new URL(page.url).pathname === path);
  };

  /** Show a notice, unless somebody looks at what it is about. @param {Phone.Notice} notice */
  const show = async ({ title, text, path, about }) => {
    if (!(await pagesAt(path)).some((page) => page.visibilityState === "visible")) {
      await worker.registration.showNotification(title, { body: text, tag: about, icon, data: path });
    }
  };

  /** @param {string} path */
  const open = async (path) => {
    const [page] = await pagesAt(path);
    await (page ? page.focus() : worker.clients.openWindow(path));
  };

  worker.addEventListener("install", (event) => event.waitUntil(fetchShell()));
  worker.addEventListener("activate", (event) => event.waitUntil(settle()));
  worker.addEventListener("fetch", (event) => {
    const { request } = event;
    const { origin, pathname } = new URL(request.url);
    if (request.method !== "GET" || origin !== location.origin) {
      return;
    }
    if (request.mode === "navigate") {
      event.respondWith(page(event));
    } else if (HASHED.test(pathname)) {
      event.respondWith(hashed(request));
    } else if (kept.includes(pathname)) {
      event.respondWith(unhashed(request));
    }
  });
  worker.addEventListener("push", (event) => {
    if (event.data) {
      event.waitUntil(show(event.data.json()));
    }
  });
  worker.addEventListener("notificationclick", (event) => {
    event.notification.close();
    event.waitUntil(open(event.notification.data));
  });
  worker.addEventListener("message", ({ data, source }) => {
    // A page of this very version needs no reload to be served by it.
    if (data.type === "take-over" || (data.type === "page" && data.version === version)) {
      worker.skipWaiting();
    } else if (data.type === "page") {
      source?.postMessage({ type: "newer" });
    }
  });
}
