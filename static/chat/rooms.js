/** The rooms of a match in their panel: tabs if there are two, unread counts, and the buttons that open the panel. */

/* global gettext, interpolate, ngettext */

import { byId, find, findAll, part } from "../parts/elements.js";
import { target } from "../parts/tabs.js";

/**
 * The tabs of the open rooms.
 *
 * @param {HTMLElement} list
 * @param {(room: string) => void} onChosen the user chose a room
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
    /** @param {string[]} rooms the open rooms; the shown room stays */
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
 * The panel: on phones a button opens it, and if it is out of view another one leads to unread lines.
 *
 * @param {HTMLElement} root
 * @param {() => void} onOpen
 * @returns {(unread: number) => void} sets the number of unread lines
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
    const words = ngettext("%(unread)s new chat message", "%(unread)s new chat messages", unread);
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
    // The button disappears once the lines are read; keyboard users continue in the list.
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
