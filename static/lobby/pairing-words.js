/** What quick pairing says and does, apart from the page it does it on. Pure. */

/* global gettext, interpolate */

/**
 * How the tile is called that a seek stands for.
 *
 * @param {{game: string, preset: string, clock: string, seats: number}} seek
 */
export function tileName({ game, preset, clock, seats }) {
  const name = `${game}/${preset}/${clock}`;
  return seats === 2 ? name : `${name}/${seats}`;
}

/**
 * The computer that is offered by now, null before that.
 *
 * @param {{computer: FromPersonal.ComputerFields|null}} seek
 * @param {number} waited seconds
 */
export function offered({ computer }, waited) {
  return computer && waited >= computer.after ? computer : null;
}

/** What the button says that begins a match against it. @param {{name: string, level: number}} computer */
export function playWords(computer) {
  return interpolate(gettext("Play %(name)s, level %(level)s"), computer, true);
}

/** The same to those who do not see it appear. @param {{name: string, level: number}} computer */
export function offerWords(computer) {
  return interpolate(
    gettext("Nobody has come yet. You can play %(name)s, a computer, at once. The search goes on until you do."),
    computer,
    true,
  );
}

/** How long somebody has waited: "12 s", later "1:05". @param {number} seconds */
export function waitedWords(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < 60) {
    return interpolate(gettext("%(seconds)s s"), { seconds: whole }, true);
  }
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/**
 * What a page does when its person is paired.
 *
 * @param {object} now
 * @param {boolean} now.there it is the page of that match
 * @param {boolean} now.been its person has been at that board already, in any tab
 * @param {boolean} now.busy its person plays another match on it
 * @param {boolean} now.looking it is looked at, or was while its person waited: of many open pages one goes
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
