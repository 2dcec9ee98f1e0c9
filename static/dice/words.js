/** Sentences for the result of a dice check. Pure. */

import { say } from "../words/sentences.js";

/* global gettext, ngettext */

/** @param {number[]} faces */
const inOrder = (faces) => faces.join(" ");

/** @param {import("./check_dice.js").Problem} problem */
export function problemWords(problem) {
  switch (problem.code) {
    case "shape":
      return gettext("The sealed file is not what it should be.");
    case "secret":
      return gettext("The secret is not made of 64 hexadecimal digits.");
    case "promise":
      return gettext("The secret is not the one that the server had promised.");
    case "noted":
      return gettext("The promise is not the one that this browser noted during the match.");
    case "order":
      return say(gettext("The throw of ply %(ply)s stands in the wrong place."), { ply: problem.ply });
    default:
      return say(gettext("Ply %(ply)s shows %(faces)s where %(expected)s must fall."), {
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
      ? gettext("Nothing was thrown in this match, and the secret is the one that was promised.")
      : say(
          ngettext(
            "All is well: the one throw fell as it had to, from the secret that was promised.",
            "All is well: each of the %(count)s throws fell as it had to, from the secret that was promised.",
            throws,
          ),
          { count: throws },
        );
  return noted ? `${counted} ${gettext("This browser noted the same promise during the match.")}` : counted;
}

/** Why nothing can be checked if the browser offers cryptography on secure pages only. */
export const insecureWords = () =>
  gettext(
    "Nothing was checked: browsers compute with secrets on secure pages (https) only, and this page is none. " +
      "Download the sealed file and check it with the program named below.",
  );

export const unreachableWords = () => gettext("The sealed file could not be fetched. Please load this page again.");

/**
 * The result of one recomputed throw.
 *
 * @param {import("./check_dice.js").Throw} thrown
 * @param {import("./check_dice.js").Problem[]} problems
 */
export function resultWords(thrown, problems) {
  const problem = problems.find(({ ply }) => ply === thrown.ply);
  if (!problem) {
    return gettext("the same");
  }
  return problem.code === "faces"
    ? say(gettext("wrong, must be %(expected)s"), { expected: inOrder(problem.expected) })
    : gettext("in the wrong place");
}

/** @param {{place: string}} count */
export const placeWords = ({ place }) =>
  ({ below: gettext("below"), within: gettext("within"), above: gettext("above") })[place];

/** The number of dice, and the meaning of the bands. @param {{dice: number, sides: number}} kind */
export function bandWords({ dice, sides }) {
  const thrown = ngettext("%(dice)s die of %(sides)s sides fell.", "%(dice)s dice of %(sides)s sides fell.", dice);
  const meaning = gettext(
    "With that many fair dice a face stays within its expected range 95 times in 100, so one outside it now and then is ordinary luck.",
  );
  return `${say(thrown, { dice, sides })} ${meaning}`;
}
