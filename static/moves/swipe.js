/** Back and forth through the moves by a finger: to the right the move before, to the left the next one. */

/** Pixels that a finger goes across before it meant that, and how many times as far as up or down. */
const FAR = 40;
const LEVEL = 2;

/**
 * @param {HTMLElement} area what is swiped
 * @param {object} way
 * @param {() => boolean} way.may whether a swipe means that now; asked when the finger comes down
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
