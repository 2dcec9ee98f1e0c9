/**
 * The page without a network: it looks for the server, and makes room for the page that was asked for. It
 * imports nothing, since a device keeps it alone.
 */

/** Milliseconds between looks; the browser does not always know when its network is back. */
const LOOK_EVERY = 4_000;
const ALIVE = "/healthz";

/** Only the browser knows whether the network is gone or the server. */
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
    // Not yet.
  }
}

say();
addEventListener("online", look);
addEventListener("offline", say);
setInterval(look, LOOK_EVERY);
