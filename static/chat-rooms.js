/** The rooms of a match in their panel: tabs once there are two, what is new in each, and the button that opens it. */

/* global gettext, interpolate, ngettext */

import { target } from "./tabs.js";

/**
 * The tabs. Only those of rooms that are open count.
 *
 * @param {HTMLElement} list
 * @param {(room: string) => void} onChosen a room was chosen by hand
 */
export function bindRoomTabs(list, onChosen) {
  const tabs = /** @type {HTMLElement[]} */ ([...list.querySelectorAll('[role="tab"]')]);
  let chosen = "";

  function choose(room) {
    chosen = room;
    for (const tab of tabs) {
      const on = tab.dataset.tab === room;
      tab.setAttribute("aria-selected", String(on));
      tab.tabIndex = on ? 0 : -1;
      document.getElementById(tab.getAttribute("aria-controls")).hidden = !on;
    }
  }

  function press(tab) {
    choose(tab.dataset.tab);
    onChosen(chosen);
  }

  list.addEventListener("click", ({ target: hit }) => {
    const tab = tabs.find((each) => each.contains(hit));
    if (tab) {
      press(tab);
    }
  });
  list.addEventListener("keydown", (event) => {
    const to = target(event.key, tabs.indexOf(document.activeElement), tabs.length);
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
      tabs.forEach((tab) => showFresh(tab.querySelector('[data-part="fresh"]'), unread(tab.dataset.tab)));
    },
  };
}

/**
 * Where there is no room beside the board the panel opens by a button.
 *
 * @param {HTMLElement} root
 * @param {() => void} onOpen
 * @returns {(unread: number) => void} tell how much is new in it
 */
export function bindPanel(root, onOpen) {
  const toggle = root.querySelector("#talk-toggle");
  toggle.addEventListener("click", () => {
    const open = root.toggleAttribute("data-open");
    toggle.setAttribute("aria-expanded", String(open));
    toggle.textContent = open ? gettext("Close") : gettext("Open");
    if (open) {
      root.scrollIntoView({ block: "nearest" });
      onOpen();
    }
  });
  return (unread) => showFresh(root.querySelector("#talk-fresh"), unread);
}

function showFresh(badge, unread) {
  const words = ngettext("%(unread)s new", "%(unread)s new", unread);
  badge.hidden = unread === 0;
  badge.textContent = unread === 0 ? "" : interpolate(words, { unread }, true);
}
