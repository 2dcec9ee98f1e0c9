/** Texts and decisions of quick pairing, apart from the page. Pure. */

/* global gettext, interpolate */

/**
 * The name of a seek's tile.
 *
 * @param {{game: string, preset: string, clock: string, seats: number}} seek
 */
export function tileName({ game, preset, clock, seats }) {
  const name = `${game}/${preset}/${clock}`;
  return seats === 2 ? name : `${name}/${seats}`;
}

/**
 * The computer player to offer after this wait, or null.
 *
 * @param {{computer: FromPersonal.ComputerFields|null}} seek
 * @param {number} waited seconds
 */
export function offered({ computer }, waited) {
  return computer && waited >= computer.after ? computer : null;
}

/** The label of the button that starts a match against it. @param {{name: string, level: number}} computer */
export function playWords(computer) {
  return interpolate(gettext("Play %(name)s, level %(level)s"), computer, true);
}

/** The announcement of the offer for screen readers. @param {{name: string, level: number}} computer */
export function offerWords(computer) {
  return interpolate(
    gettext("Nobody has joined yet. Play the computer %(name)s now, or keep waiting."),
    computer,
    true,
  );
}

/** The time waited: "12 s", later "1:05". @param {number} seconds */
export function waitedWords(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < 60) {
    return interpolate(gettext("%(seconds)s s"), { seconds: whole }, true);
  }
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/**
 * What a page does when its user is paired.
 *
 * @param {object} now
 * @param {boolean} now.there this is the page of that match
 * @param {boolean} now.been the user has opened that match already, in any tab
 * @param {boolean} now.busy the user plays another match on this page
 * @param {boolean} now.looking the tab is visible, or was during the wait: only one of many tabs navigates
 * @returns {"stay"|"link"|"later"|"go"}
 */
export function reaction({ there, been, busy, looking }) {
  if (there || been) {
    return "stay";
  }
  if (busy) {
    return "link";
  }
  return looking ? "go" : "later";
}
