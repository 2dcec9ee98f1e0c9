/** Menus: `<details class="menu">`, which open by themselves, close as menus do. */

/** Close a menu by Escape, by a press elsewhere, and when the focus has left it. */
export function bindMenus() {
  document.addEventListener("pointerdown", (event) => closeOthers(event.target));
  document.addEventListener("focusin", (event) => closeOthers(event.target));
  document.addEventListener("keydown", (event) => {
    const menu = event.key === "Escape" ? document.activeElement?.closest("details.menu[open]") : null;
    if (menu) {
      menu.open = false;
      menu.querySelector("summary").focus();
    }
  });
}

function closeOthers(target) {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(target)) {
      menu.open = false;
    }
  }
}
