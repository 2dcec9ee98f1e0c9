/**
 * Clock arithmetic: the time left of a seat, and how it is written and said. Pure; all times are milliseconds, moments
 * are the server's.
 *
 * @typedef {object} Control how time is given
 * @property {number} initial the initial time in a live match, 0 in correspondence
 * @property {number} increment
 * @property {number} per_move the time for each ply in correspondence
 * @property {number} [simple_delay] the delay of each ply before the clock runs
 * @property {number|null} first_move the time for each seat's first ply; null: that of its clock
 *
 * @typedef {object} Clocks
 * @property {number[]} left by seat, as of `at`
 * @property {number|null} running the seat whose clock runs, null if all are stopped
 * @property {number} at
 * @property {number[]} fresh the seats before their first ply, which costs no time
 * @property {Vacation[]} [vacations] with days per move, in order of time
 *
 * @typedef {{seat: number, begins: number, ends: number}} Vacation the seat is not charged for this time
 *
 * @typedef {object} Standing the clock of one seat at a moment
 * @property {number} ms
 * @property {boolean} running
 * @property {boolean} first whether `ms` is the time left for the first ply
 * @property {boolean} low
 * @property {number} delay the rest of the delay
 * @property {Vacation} [vacation] the vacation that goes on or is planned
 * @property {boolean} [away] whether it goes on
 */

/* global gettext, ngettext, interpolate */

const [TENTH, SECOND, MINUTE, HOUR, DAY] = [100, 1_000, 60_000, 3_600_000, 86_400_000];
/** Below this, tenths are shown. */
const CLOSE = 10 * SECOND;
/** Live clocks are low below this or a tenth of the initial time, correspondence clocks below a tenth of a ply. */
const LOW = 20 * SECOND;
const LOW_SHARE = 0.1;

/**
 * @param {Control} control
 * @param {Clocks} clocks
 * @param {number} seat
 * @param {number} now the server's time
 * @returns {Standing}
 */
export function standing(control, clocks, seat, now) {
  const vacations = clocks.vacations?.filter((each) => each.seat === seat) ?? [];
  const vacation = clocks.running === null ? undefined : vacations.find(({ ends }) => ends > now);
  const charged = clocks.running === seat;
  const away = vacation !== undefined && vacation.begins <= now;
  const running = charged && !away;
  const first = running && clocks.fresh.includes(seat);
  const given = first ? (control.first_move ?? clocks.left[seat]) : clocks.left[seat];
  const elapsed = charged ? Math.max(0, now - clocks.at - timeOf(vacations, clocks.at, now)) : 0;
  const waits = running && !first ? (control.simple_delay ?? 0) : 0;
  const ms = Math.max(0, given - Math.max(0, elapsed - waits));
  const threshold = control.initial ? Math.max(LOW, control.initial * LOW_SHARE) : control.per_move * LOW_SHARE;
  const low = running && ms < (first ? LOW : threshold);
  return { ms, running, first, low, delay: Math.max(0, waits - elapsed), ...(vacation && { vacation, away }) };
}

/** @param {Vacation[]} vacations @param {number} from @param {number} to @returns {number} their time between the two */
function timeOf(vacations, from, to) {
  const times = vacations.map(({ begins, ends }) => Math.max(0, Math.min(ends, to) - Math.max(begins, from)));
  return times.reduce((sum, time) => sum + time, 0);
}

/**
 * @param {number} ms
 * @param {boolean} [slow] of a correspondence clock
 * @returns {string} time as a clock shows it: 2 d 3 h, 5 h 12 min, 1:02:03, 4:59, 9.8
 */
export function face(ms, slow = false) {
  if (ms < CLOSE) {
    return `${Math.floor(ms / SECOND)}.${Math.floor((ms % SECOND) / TENTH)}`;
  }
  const [days, hours, minutes, seconds] = parts(ms);
  if (days > 0) {
    return interpolate(gettext("%(days)s d %(hours)s h"), { days, hours }, true);
  }
  if (slow && hours > 0) {
    return interpolate(gettext("%(hours)s h %(minutes)s min"), { hours, minutes }, true);
  }
  /** @param {number} number */
  const two = (number) => String(number).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

/**
 * The text of a clock: its time, and the rest of the delay as in "4:59 +3".
 *
 * @param {Standing} standing
 * @param {boolean} [slow]
 */
export function faceOf({ ms, delay }, slow = false) {
  return delay > 0 ? `${face(ms, slow)} +${Math.ceil(delay / SECOND)}` : face(ms, slow);
}

/**
 * @param {number} ms
 * @param {number} [delay] the rest of the delay
 * @returns {number} milliseconds until the text of a running clock changes
 */
export function untilChange(ms, delay = 0) {
  if (delay > 0) {
    return ((delay - 1) % SECOND) + 1;
  }
  if (ms <= 0) {
    return Infinity;
  }
  const step = ms > DAY ? MINUTE : ms >= CLOSE ? SECOND : TENTH;
  return Math.floor(ms % step) + 1;
}

/** @param {number} ms @returns {string} spoken time: its two largest units */
export function spoken(ms) {
  const [days, hours, minutes, seconds] = parts(ms);
  const said = [
    { count: days, words: ngettext("%(count)s day", "%(count)s days", days) },
    { count: hours, words: ngettext("%(count)s hour", "%(count)s hours", hours) },
    { count: minutes, words: ngettext("%(count)s minute", "%(count)s minutes", minutes) },
    { count: seconds, words: ngettext("%(count)s second", "%(count)s seconds", seconds) },
  ];
  const largest = said.findIndex(({ count }) => count > 0);
  const heard = largest < 0 ? said.slice(-1) : said.slice(largest, largest + 2).filter(({ count }) => count > 0);
  return heard.map(({ count, words }) => interpolate(words, { count }, true)).join(" ");
}

/**
 * All clocks in sentences.
 *
 * @param {Control|null} control
 * @param {Clocks|null} clocks
 * @param {string[]} names by seat
 * @param {number} now
 */
export function clockWords(control, clocks, names, now) {
  if (!control || !clocks) {
    return gettext("This match has no clock.");
  }
  return names
    .map((name, seat) => {
      const { ms, running, first } = standing(control, clocks, seat, now);
      const sentence = first
        ? gettext("%(name)s: %(time)s for the first move.")
        : running
          ? gettext("%(name)s: %(time)s, running.")
          : gettext("%(name)s: %(time)s.");
      return interpolate(sentence, { name, time: spoken(ms) }, true);
    })
    .join(" ");
}

/** @param {number} ms days, hours, minutes and seconds */
function parts(ms) {
  /** @param {number} unit @param {number} [of] */
  const count = (unit, of = Infinity) => Math.floor((ms % of) / unit);
  return [count(DAY), count(HOUR, DAY), count(MINUTE, HOUR), count(SECOND, MINUTE)];
}

/**
 * An estimate of the server's time from its messages. The largest offset came with the least delay; a snapshot resets
 * it, since the computer may have slept.
 *
 * @param {() => number} read milliseconds of a monotonic clock
 */
export function createServerTime(read) {
  /** @type {number|null} */
  let ahead = null;
  return {
    /** @param {{type: string, time?: number}} message */
    hear({ type, time }) {
      if (time !== undefined) {
        const measured = time - read();
        ahead = ahead === null || type === "snapshot" ? measured : Math.max(ahead, measured);
      }
    },
    now: () => (ahead === null ? 0 : read() + ahead),
  };
}
