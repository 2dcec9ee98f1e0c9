/** Menus: `<details class="menu">`, which open natively and close as menus do. */

import { find, findAll } from "./elements.js";

/** Close a menu by Escape, by a press outside, and when it loses the focus; scroll its content into view. */
export function bindMenus() {
  // This event does not bubble.
  document.addEventListener("toggle", (event) => showBody(event.target), true);
  document.addEventListener("pointerdown", (event) => closeOthers(event.target));
  document.addEventListener("focusin", (event) => closeOthers(event.target));
  document.addEventListener("keydown", (event) => {
    const menu = event.key === "Escape" ? document.activeElement?.closest("details.menu[open]") : null;
    if (menu instanceof HTMLDetailsElement) {
      menu.open = false;
      find(menu, "summary").focus();
    }
  });
}

/** @param {EventTarget|null} target */
function closeOthers(target) {
  for (const menu of findAll(document, "details.menu[open]", HTMLDetailsElement)) {
    if (!(target instanceof Node && menu.contains(target))) {
      menu.open = false;
    }
  }
}

/** @param {EventTarget|null} target */
function showBody(target) {
  if (target instanceof HTMLDetailsElement && target.open && target.matches(".menu")) {
    find(target, ".menu-body").scrollIntoView({ block: "nearest" });
  }
}
