/**
 * Tabs: a row of which one is pressed, and its part of the page is shown.
 *
 * The markup is `<div role="tablist">` around `<a role="tab" href="#panel">`, each with `aria-controls`. Without
 * JavaScript they are plain links into a page that shows everything. The address names the tab, so that it can
 * be sent to somebody and the browser's own buttons go back.
 */

import { byId, findAll } from "./elements.js";

/** @param {HTMLElement} list */
export function bindTabs(list) {
  const tabs = findAll(list, '[role="tab"]');
  /** @param {HTMLElement} tab */
  const panelOf = (tab) => byId(tab.getAttribute("aria-controls") ?? "");
  /** @param {string} hash */
  const named = (hash) => tabs.find((tab) => `#${tab.getAttribute("aria-controls")}` === hash);

  /** @param {HTMLElement} chosen */
  function select(chosen) {
    for (const tab of tabs) {
      tab.setAttribute("aria-selected", String(tab === chosen));
      tab.tabIndex = tab === chosen ? 0 : -1;
      panelOf(tab).hidden = tab !== chosen;
    }
  }

  /** @param {HTMLElement} tab */
  function press(tab) {
    select(tab);
    tab.focus();
    history.replaceState(null, "", `#${tab.getAttribute("aria-controls")}`);
  }

  list.addEventListener("click", (event) => {
    const tab = tabs.find((each) => event.target instanceof Node && each.contains(event.target));
    if (tab) {
      event.preventDefault();
      press(tab);
    }
  });
  list.addEventListener("keydown", (event) => {
    const to = target(event.key, tabs.findIndex((tab) => tab === document.activeElement), tabs.length);
    if (to !== null) {
      event.preventDefault();
      press(tabs[to]);
    }
  });
  addEventListener("hashchange", () => select(named(location.hash) ?? tabs[0]));
  select(named(location.hash) ?? tabs.find((tab) => tab.getAttribute("aria-selected") === "true") ?? tabs[0]);
}

/**
 * Where a key leads from tab number `from`; null for keys that lead nowhere.
 *
 * @param {string} key
 * @param {number} from
 * @param {number} count
 */
export function target(key, from, count) {
  switch (key) {
    case "ArrowRight":
      return (from + 1) % count;
    case "ArrowLeft":
      return (from + count - 1) % count;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return null;
  }
}
