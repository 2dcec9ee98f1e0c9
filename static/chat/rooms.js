/** The rooms of a match in their panel: tabs once there are two, what is new in each, and the buttons that lead there. */

/* global gettext, interpolate, ngettext */

import { byId, find, findAll, part } from "../parts/elements.js";
import { target } from "../parts/tabs.js";

/**
 * The tabs. Only those of rooms that are open count.
 *
 * @param {HTMLElement} list
 * @param {(room: string) => void} onChosen a room was chosen by hand
 */
export function bindRoomTabs(list, onChosen) {
  const tabs = findAll(list, '[role="tab"]');
  let chosen = "";

  /** @param {string} room */
  function choose(room) {
    chosen = room;
    for (const tab of tabs) {
      const on = tab.dataset.tab === room;
      tab.setAttribute("aria-selected", String(on));
      tab.tabIndex = on ? 0 : -1;
      byId(tab.getAttribute("aria-controls") ?? "").hidden = !on;
    }
  }

  /** @param {HTMLElement} tab */
  function press(tab) {
    choose(tab.dataset.tab ?? "");
    onChosen(chosen);
  }

  list.addEventListener("click", ({ target: hit }) => {
    const tab = tabs.find((each) => hit instanceof Node && each.contains(hit));
    if (tab) {
      press(tab);
    }
  });
  list.addEventListener("keydown", (event) => {
    const to = target(event.key, tabs.findIndex((tab) => tab === document.activeElement), tabs.length);
    if (to !== null) {
      event.preventDefault();
      tabs[to].focus();
      press(tabs[to]);
    }
  });

  return {
    /** @param {string[]} rooms those that are open; the one that is shown stays */
    open(rooms) {
      list.hidden = rooms.length < 2;
      choose(rooms.includes(chosen) ? chosen : rooms[0]);
    },

    /** @param {(room: string) => number} unread */
    count(unread) {
      tabs.forEach((tab) => showFresh(part(tab, "fresh"), unread(tab.dataset.tab ?? "")));
    },
  };
}

/**
 * The panel: on phones it opens by a button, and where it is out of sight another one leads to what is new.
 *
 * @param {HTMLElement} root
 * @param {() => void} onOpen
 * @returns {(unread: number) => void} tell how much is new in it
 */
export function bindPanel(root, onOpen) {
  const toggle = find(root, "#talk-toggle");
  const news = find(root, "#talk-news");
  let inSight = true;
  let unread = 0;

  /** @param {boolean} wanted */
  function open(wanted) {
    root.toggleAttribute("data-open", wanted);
    toggle.setAttribute("aria-expanded", String(wanted));
    find(toggle, "[data-label]").textContent = wanted ? gettext("Close") : gettext("Open");
    onOpen();
    root.scrollIntoView({ block: "nearest" });
  }

  function tell() {
    const words = ngettext("%(unread)s new line in the chat", "%(unread)s new lines in the chat", unread);
    part(news, "words").textContent = interpolate(words, { unread }, true);
    news.hidden = inSight || unread === 0;
    showFresh(find(root, "#talk-fresh"), unread);
  }

  toggle.addEventListener("click", () => open(!root.hasAttribute("data-open")));
  find(root, "#talk-close").addEventListener("click", () => {
    open(false);
    toggle.focus();
  });
  news.addEventListener("click", () => {
    open(true);
    // The button is gone when its news are read; who came by keyboard goes on from there.
    find(root, "[data-room]:not([hidden]) [role=log]").focus({ preventScroll: true });
  });
  new IntersectionObserver(([{ isIntersecting }]) => {
    inSight = isIntersecting;
    tell();
  }).observe(find(root, ".talk-head"));

  return (count) => {
    unread = count;
    tell();
  };
}

/** @param {HTMLElement} badge @param {number} unread */
function showFresh(badge, unread) {
  const words = ngettext("%(unread)s new", "%(unread)s new", unread);
  badge.hidden = unread === 0;
  badge.textContent = unread === 0 ? "" : interpolate(words, { unread }, true);
}
