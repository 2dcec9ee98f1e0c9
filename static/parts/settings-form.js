/** The controls of the settings, in the dialog of every page and on the page of the settings. */

import { csrfToken } from "./forms.js";
import { SETTINGS, applyBoard, applyTheme, change, onChange, setting } from "./settings.js";

/* global gettext */

const A_YEAR = 60 * 60 * 24 * 365;

const APPLY = { theme: applyTheme, board: applyBoard };

/** Apply settings as they change in any tab, and change them by the controls in `list`, if there are any. */
export function bindSettings(list) {
  onChange((name, value) => {
    APPLY[name]?.(value);
    mark(list, name, value);
  });
  if (list) {
    const keeper = createKeeper(list);
    Object.keys(SETTINGS).forEach((name) => mark(list, name, setting(name)));
    list.addEventListener("change", ({ target }) => {
      const name = target.name?.replace("setting-", "");
      if (name in SETTINGS) {
        change(name, target.value);
        keeper(name, target.value);
      } else if (target.id === "setting-language") {
        speak(target, keeper);
      }
    });
  }
}

function mark(list, name, value) {
  const input = list?.querySelector(`input[name="setting-${name}"][value="${value}"]`);
  if (input) {
    input.checked = true;
  }
}

/** The language is the server's to speak: it reads a cookie. */
async function speak(select, keep) {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `${select.dataset.cookie}=${select.value}; path=/; max-age=${A_YEAR}; SameSite=Lax${secure}`;
  await keep("language", select.value);
  location.reload();
}

/** @returns {(name: string, value: string) => Promise<void>} keeps a setting with the account, if there is one */
function createKeeper(list) {
  const said = list.querySelector("#setting-said");
  const account = document.documentElement.dataset.preferences !== undefined;
  return async (name, value) => {
    if (account) {
      said.textContent = (await kept(list.dataset.keep, name, value))
        ? gettext("Saved.")
        : gettext("This could not be saved with your account. It holds on this page only.");
    }
  };
}

async function kept(address, name, value) {
  try {
    const body = new URLSearchParams({ name, value });
    const answer = await fetch(address, { method: "POST", body, headers: { "X-CSRFToken": csrfToken() } });
    return answer.ok;
  } catch {
    return false;
  }
}
