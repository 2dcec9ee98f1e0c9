/**
 * The offline page: it polls the server, and then loads the requested page. It imports nothing, since a device caches
 * it alone.
 */

/** Milliseconds between polls; the browser does not always notice that its network is back. */
const LOOK_EVERY = 4_000;
const ALIVE = "/healthz";

/** Only the browser knows whether the network or the server is down. */
function say() {
  for (const heading of document.querySelectorAll("h1")) {
    heading.hidden = navigator.onLine !== (heading.id === "unanswered");
  }
}

async function look() {
  say();
  try {
    const answer = await fetch(ALIVE, { method: "HEAD", cache: "no-store" });
    if (answer.ok) {
      location.reload();
    }
  } catch {
    // Still unreachable.
  }
}

say();
addEventListener("online", look);
addEventListener("offline", say);
setInterval(look, LOOK_EVERY);
