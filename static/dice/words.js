/** Sentences for the result of a dice check. Pure. */

import { say } from "../words/sentences.js";

/* global gettext, ngettext */

/** @param {number[]} faces */
const inOrder = (faces) => faces.join(" ");

/** @param {import("./check_dice.js").Problem} problem */
export function problemWords(problem) {
  switch (problem.code) {
    case "shape":
      return gettext("The file is not valid.");
    case "secret":
      return gettext("The secret must have 64 hexadecimal digits.");
    case "promise":
      return gettext("The secret does not match the fingerprint the server published.");
    case "noted":
      return gettext("The fingerprint is not the one this browser saved during the match.");
    case "order":
      return say(gettext("The roll of ply %(ply)s is in the wrong place."), { ply: problem.ply });
    default:
      return say(gettext("Ply %(ply)s shows %(faces)s instead of %(expected)s."), {
        ply: problem.ply,
        faces: inOrder(problem.faces),
        expected: inOrder(problem.expected),
      });
  }
}

/**
 * The sentence for a valid file.
 * @param {number} throws their number
 * @param {boolean} noted whether this browser had noted the promise during the match
 */
export function soundWords(throws, noted) {
  const counted =
    throws === 0
      ? gettext("No dice were rolled in this match. The secret matches its fingerprint.")
      : say(
          ngettext(
            "The dice were fair: the only roll matches the secret.",
            "The dice were fair: all %(count)s rolls match the secret.",
            throws,
          ),
          { count: throws },
        );
  return noted ? `${counted} ${gettext("This browser saved the same fingerprint during the match.")}` : counted;
}

/** Why nothing can be checked if the browser offers cryptography on secure pages only. */
export const insecureWords = () =>
  gettext(
    "Not checked: your browser can check dice only on secure pages (https). Download the file and check it with the program below.",
  );

export const unreachableWords = () => gettext("Could not load the file. Please reload this page.");

/**
 * The result of one recomputed throw.
 *
 * @param {import("./check_dice.js").Throw} thrown
 * @param {import("./check_dice.js").Problem[]} problems
 */
export function resultWords(thrown, problems) {
  const problem = problems.find(({ ply }) => ply === thrown.ply);
  if (!problem) {
    return gettext("matches");
  }
  return problem.code === "faces"
    ? say(gettext("wrong, should be %(expected)s"), { expected: inOrder(problem.expected) })
    : gettext("in the wrong place");
}

/** @param {{place: string}} count */
export const placeWords = ({ place }) =>
  ({ below: gettext("below"), within: gettext("within"), above: gettext("above") })[place];

/** The number of dice, and the meaning of the bands. @param {{dice: number, sides: number}} kind */
export function bandWords({ dice, sides }) {
  const thrown = ngettext("%(dice)s die with %(sides)s sides was rolled.", "%(dice)s dice with %(sides)s sides were rolled.", dice);
  const meaning = gettext(
    "With this many fair dice, a face stays within its expected range 95 times in 100. One outside it now and then is normal.",
  );
  return `${say(thrown, { dice, sides })} ${meaning}`;
}
