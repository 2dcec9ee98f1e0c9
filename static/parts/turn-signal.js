/** The turn indicator of the tab: in its title always, in its icon while the tab is hidden. */

/* global gettext */

const BLINK = 1_000;

/**
 * @param {string} name the title of the page
 * @returns {(headline: string, mine: boolean) => void}
 */
export function createTurnSignal(name) {
  /** @type {HTMLLinkElement|null} */
  const icon = document.querySelector("link[rel=icon]");
  const calm = icon?.href;
  const urgent = icon?.dataset.turn;
  let mine = false;
  let timer = 0;

  /** @param {string|undefined} href */
  const paint = (href) => {
    if (icon && href && icon.href !== href) {
      icon.href = href;
    }
  };
  const blink = () => {
    clearInterval(timer);
    paint(calm);
    if (mine && document.hidden && urgent) {
      timer = setInterval(() => paint(icon?.getAttribute("href") === urgent ? calm : urgent), BLINK);
    }
  };
  document.addEventListener("visibilitychange", blink);

  return (headline, isMine) => {
    document.title = `${headline} · ${name} · ${gettext("Parlour")}`;
    if (isMine !== mine) {
      mine = isMine;
      blink();
    }
  };
}
