/** Sentences about vacations. */

import { locale } from "../parts/locale.js";

/* global gettext, interpolate */

/**
 * Who is on vacation until when, or will be from when; "" if nobody.
 *
 * @param {import("../match/clock.js").Standing[]} standings by seat
 * @param {string[]} names by seat
 */
export function vacationWords(standings, names) {
  return standings
    .flatMap(({ vacation, away }, seat) => {
      if (!vacation) {
        return [];
      }
      const sentence = away ? gettext("On vacation until %(day)s: %(name)s.") : gettext("On vacation from %(day)s: %(name)s.");
      const at = new Date(away ? vacation.ends : vacation.begins);
      const day = at.toLocaleDateString(locale(), { day: "numeric", month: "long" });
      return interpolate(sentence, { name: names[seat], day }, true);
    })
    .join(" ");
}
