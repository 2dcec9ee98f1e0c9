/** Swiping through the moves: right for the previous one, left for the next one. */

/** The least horizontal distance of a swipe in pixels, and how many times the vertical one it must be. */
const FAR = 40;
const LEVEL = 2;

/**
 * @param {HTMLElement} area the swipe area
 * @param {object} way
 * @param {() => boolean} way.may whether swiping is enabled; called when the finger comes down
 * @param {(way: "previous"|"next") => void} way.onSwipe
 */
export function bindSwipe(area, { may, onSwipe }) {
  /** @type {Touch|null} */
  let down = null;

  area.addEventListener("touchstart", ({ touches }) => {
    down = touches.length === 1 && may() ? touches[0] : null;
  }, { passive: true });

  area.addEventListener("touchend", ({ changedTouches }) => {
    const up = [...changedTouches].find(({ identifier }) => identifier === down?.identifier);
    if (down && up) {
      const [across, along] = [up.clientX - down.clientX, up.clientY - down.clientY];
      if (Math.abs(across) >= FAR && Math.abs(across) >= LEVEL * Math.abs(along)) {
        onSwipe(across > 0 ? "previous" : "next");
      }
    }
    down = null;
  });

  area.addEventListener("touchcancel", () => {
    down = null;
  });
}
