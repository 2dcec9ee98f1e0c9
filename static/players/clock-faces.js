/** The clocks on the page: each is updated when its text changes. */

import { faceOf, standing, untilChange } from "../match/clock.js";
import { find } from "../parts/elements.js";
import { picture } from "../shapes/patch.js";
import { path } from "../shapes/svg.js";

const HOURGLASS = path("M6 3h12M6 21h12M7 3v4l5 5 5-5V3M7 21v-4l5-5 5 5v4", { class: "clock-running" });
const WARNING = path("M12 3 2 20h20zM12 9v5M12 17v.5", { class: "clock-low" });

/** Milliseconds between two looks whether a vacation has begun or ended. */
const VACATION_CHECK = 60_000;

/** A clock in a player's strip: an icon for running or low, and the time. */
export function clockElement() {
  const element = document.createElement("span");
  element.className = "player-clock";
  element.hidden = true;
  const time = document.createElement("span");
  time.className = "number";
  // A timer is silent: screen readers read it on request, not every second.
  time.setAttribute("role", "timer");
  element.append(picture([HOURGLASS, WARNING], "0 0 24 24", "icon"), time);
  return element;
}

/**
 * @param {object} way
 * @param {(seat: number) => HTMLElement|undefined} way.clockOf the clock element of a seat, if it exists
 * @param {() => number} way.now the server's time
 * @param {(standings: import("../match/clock.js").Standing[]) => void} way.onTurn more than the time changed: which
 *   clock runs, is low, or counts the first move
 */
export function createClockFaces({ clockOf, now, onTurn }) {
  let timer = 0;
  let marks = "";

  /** @param {import("../match/store.js").Store} store */
  function update(store) {
    clearTimeout(timer);
    const { match, clocks } = store;
    const control = match?.clock;
    if (!control || !clocks) {
      return;
    }
    const moment = now();
    const standings = match.seats.map((_, seat) => standing(control, clocks, seat, moment));
    const shown = JSON.stringify(
      standings.map(({ running, first, low, vacation, away }) => [running, first, low, vacation, away]),
    );
    if (shown !== marks) {
      marks = shown;
      onTurn(standings);
    }
    standings.forEach((each, seat) => dress(clockOf(seat), each, control.per_move > 0));
    const next = Math.min(
      ...standings.map(({ ms, running, delay, vacation }) =>
        running ? untilChange(ms, delay) : vacation ? VACATION_CHECK : Infinity,
      ),
    );
    if (next < Infinity) {
      timer = setTimeout(() => update(store), next);
    }
  }

  return { update };
}

/** @param {HTMLElement|undefined} element @param {import("../match/clock.js").Standing} shown @param {boolean} slow */
function dress(element, shown, slow) {
  if (!element) {
    return;
  }
  const { running, first, low } = shown;
  element.hidden = false;
  element.toggleAttribute("data-running", running);
  element.toggleAttribute("data-first", first);
  element.toggleAttribute("data-low", low);
  const time = find(element, "[role=timer]");
  const words = faceOf(shown, slow);
  if (time.textContent !== words) {
    time.textContent = words;
  }
}
