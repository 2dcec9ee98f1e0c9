/** What a player can do beside moving: resign in two presses, ask for a rematch, turn the board. */

/* global gettext, interpolate */

/** How long the second press is waited for. */
const SURE_FOR = 5_000;

/**
 * @param {HTMLButtonElement} button
 * @param {{onResign: () => void, say: (sentence: string) => void}} way
 * @returns `press` does what a press on the button does; `asked` says whether the next one counts
 */
export function bindResign(button, { onResign, say }) {
  let timer = 0;
  let asked = false;
  const set = (sure) => {
    asked = sure;
    clearTimeout(timer);
    button.setAttribute("aria-pressed", String(sure));
    button.querySelector("[data-label]").textContent = sure ? gettext("Really resign?") : gettext("Resign");
  };
  const press = () => {
    if (asked) {
      set(false);
      onResign();
      return;
    }
    set(true);
    say(gettext("Press again to resign."));
    timer = setTimeout(() => set(false), SURE_FOR);
  };
  button.addEventListener("click", press);
  button.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && asked) {
      set(false);
    }
  });
  button.addEventListener("blur", () => set(false));
  return { press, asked: () => asked, offered: () => !button.hidden };
}

/**
 * What stands on the rematch button, and what is said of it.
 *
 * @param {import("./store.js").Store} store
 * @returns {{button: string|null, note: string, link: boolean, glow: boolean}}
 */
export function rematchLook({ match, live, you, offered, rematch }) {
  const others = offered.filter((seat) => seat !== you).map((seat) => match.seats[seat].name).join(", ");
  if (!live.outcome) {
    return { button: null, note: "", link: false, glow: false };
  }
  if (rematch) {
    return { button: null, note: gettext("The rematch has begun."), link: true, glow: true };
  }
  if (you === null) {
    const note = others ? interpolate(gettext("%(names)s would like a rematch."), { names: others }, true) : "";
    return { button: null, note, link: false, glow: false };
  }
  if (offered.includes(you)) {
    return { button: null, note: gettext("You offered a rematch. Waiting for an answer."), link: false, glow: false };
  }
  return others
    ? {
      button: gettext("Accept rematch"),
      note: interpolate(gettext("%(names)s would like a rematch."), { names: others }, true),
      link: false,
      glow: true,
    }
    : { button: gettext("Rematch"), note: "", link: false, glow: false };
}
