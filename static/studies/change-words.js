/** What somebody else did in a chapter, in a sentence. Pure. */

import { START } from "./tree.js";

/* global gettext, interpolate */

/** @typedef {import("./tree.js").Node} Node */

/**
 * @param {object} change
 * @param {string} change.by
 * @param {(Node|undefined)[]} change.before the nodes that have changed, as they were
 * @param {(Node|undefined)[]} change.after the same nodes now, undefined if they were removed
 * @param {object} way
 * @param {(node: Node) => string} way.nameOf what a node is called
 * @param {(id: number) => Node|undefined} way.node a node as it is now
 * @param {(glyph: string) => string} way.glyphName
 */
export function changeWords({ by, before, after }, { nameOf, node, glyphName }) {
  const gone = before.filter((each, place) => each && !after[place]);
  const ids = new Set(gone.map((each) => each?.id));
  const removed = gone.find((each) => !ids.has(each?.parent ?? undefined));
  if (removed) {
    return say(gettext("%(name)s removes %(move)s and all after it."), { move: nameOf(removed) });
  }
  const added = after.findLast((each, place) => each && !before[place]);
  if (added) {
    const before = node(added.parent ?? START);
    return before && before.id !== START
      ? say(gettext("%(name)s adds a move after %(before)s: %(move)s."), { move: nameOf(added), before: nameOf(before) })
      : say(gettext("%(name)s adds a first move: %(move)s."), { move: nameOf(added) });
  }
  const place = after.findIndex(Boolean);
  const [was, now] = [before[place], after[place]];
  return was && now ? changed(was, now) : "";

  /** @param {Node} was @param {Node} now */
  function changed(was, now) {
    const move = nameOf(now);
    if (now.comment !== was.comment) {
      const words = now.comment ? gettext("%(name)s comments on %(move)s: %(text)s") : gettext("%(name)s removes the comment on %(move)s.");
      return say(words, { move, text: now.comment });
    }
    if (now.glyph !== was.glyph) {
      const words = now.glyph ? gettext("%(name)s signs %(move)s: %(sign)s.") : gettext("%(name)s removes the sign of %(move)s.");
      return say(words, { move, sign: now.glyph && glyphName(now.glyph) });
    }
    return String(now.marks) === String(was.marks)
      ? say(gettext("%(name)s makes %(move)s the main line."), { move })
      : say(gettext("%(name)s changes the marks at %(move)s."), { move });
  }

  /** @param {string} words @param {Record<string, string>} values */
  function say(words, values) {
    return interpolate(words, { name: by, ...values }, true);
  }
}
