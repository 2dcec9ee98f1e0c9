// The service worker (/sw.js defines `SHELL` before this). It answers a navigation only when the network is down, with
// the offline page: match state is never served from a cache.
{
  const worker = /** @type {Phone.Worker} */ (/** @type {unknown} */ (globalThis));
  const { version, offline, kept, icon } = worker.SHELL;
  const NAME = `parlour-${version}`;

  /** A file with a content hash in its name never changes. */
  const HASHED = /\.[0-9a-f]{12}\.\w+$/;

  const fetchShell = async () => {
    const cache = await caches.open(NAME);
    // Without credentials: the offline page contains nothing personal.
    await cache.addAll(kept.map((address) => new Request(address, { credentials: "omit", cache: "no-cache" })));
  };

  const settle = async () => {
    for (const name of await caches.keys()) {
      if (name !== NAME) {
        await caches.delete(name);
      }
    }
    // The page is requested while the worker starts.
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

  /** Unhashed files in development: cache only those of the offline page. */
  const unhashed = async (/** @type {Request} */ request) => {
    try {
      return await fetch(request);
    } catch {
      return (await caches.match(request, { ignoreVary: true })) ?? Response.error();
    }
  };

  /** The open pages of this site at a path. @param {string} path */
  const pagesAt = async (path) => {
    const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
    return pages.filter((page) => new URL(page.url).pathname === path);
  };

  /** Show a notice, unless a visible page is about the same. @param {Phone.Notice} notice */
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
    // A page of this version needs no reload.
    if (data.type === "take-over" || (data.type === "page" && data.version === version)) {
      worker.skipWaiting();
    } else if (data.type === "page") {
      source?.postMessage({ type: "newer" });
    }
  });
}
