/* global gettext */

/**
 * The names of the text box's commands in the language of the page: short, to be typed quickly. The sentence that
 * answers "help" names them all.
 *
 * @returns {Record<string, string>}
 */
export function commandWords() {
  // Translators: commands that people type at a match; the long sentence "Type a move as it stands …" names them.
  return {
    board: gettext("board"),
    last: gettext("last"),
    legal: gettext("legal"),
    hint: gettext("hint"),
    clock: gettext("clock"),
    abort: gettext("abort"),
    draw: gettext("draw"),
    takeback: gettext("takeback"),
    pause: gettext("pause"),
    save: gettext("save"),
    resume: gettext("resume"),
    end: gettext("end"),
    accept: gettext("accept"),
    decline: gettext("decline"),
    claim: gettext("claim"),
    "claim draw": gettext("claim draw"),
    reclaim: gettext("reclaim"),
    resign: gettext("resign"),
    help: gettext("help"),
  };
}
