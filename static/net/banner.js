/** The banner above the page for a connection that is not open. */

/* global gettext */

/** Milliseconds: a fast connection shows no banner. */
const BEFORE_CONNECTING_IS_SAID = 1_500;
const BACK_IS_SAID_FOR = 2_500;

/**
 * @param {HTMLElement} banner a live region over the page, so that nothing moves
 * @returns {(status: import("./socket.js").Status, detail?: string) => void} takes what the server said of an error, too
 */
export function createBanner(banner) {
  let timer = 0;
  let troubled = false;

  /** @param {string} words @param {"warn"|"good"|"bad"} tone */
  const show = (words, tone, reload = false) => {
    banner.textContent = words;
    banner.dataset.tone = tone;
    banner.hidden = words === "";
    if (reload) {
      banner.append(" ", reloadLink());
    }
  };
  /** @param {number} ms @param {() => void} what */
  const later = (ms, what) => {
    timer = setTimeout(what, ms);
  };

  /** @param {import("./socket.js").Status} now @param {string} detail */
  function status(now, detail = "") {
    clearTimeout(timer);
    const back = now === "open" && troubled;
    troubled = now === "lost" || now === "restarting";
    switch (now) {
      case "connecting":
        later(BEFORE_CONNECTING_IS_SAID, () => show(gettext("Connecting…"), "warn"));
        break;
      case "open":
        show(back ? gettext("Connected again") : "", "good");
        later(BACK_IS_SAID_FOR, () => show("", "good"));
        break;
      case "slow":
        show(gettext("The site is slow. Nothing you sent is lost."), "warn");
        break;
      case "lost":
        show(gettext("Connection lost. Reconnecting…"), "warn");
        break;
      case "restarting":
        show(gettext("The server is restarting. Your game is safe."), "warn");
        break;
      case "signed-out":
        show(detail, "bad", true);
        break;
      case "evening-over":
        show(detail, "good");
        break;
      case "players-only":
        show(gettext("This match is private."), "bad", true);
        break;
      case "outdated":
        show(gettext("This page is out of date."), "bad", true);
        break;
      default:
        show(gettext("This page no longer exists."), "bad", true);
    }
  }
  status("connecting");
  return status;
}

function reloadLink() {
  const link = document.createElement("a");
  link.href = location.href;
  link.textContent = gettext("Reload the page");
  return link;
}
