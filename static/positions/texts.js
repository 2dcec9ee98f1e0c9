/** The texts of the position on the board: those to copy, those that forms and links send, and the address of the page. */

import { freshId } from "../net/outbox.js";
import { byId, find, findAll } from "../parts/elements.js";
import { bindCopy } from "../parts/share.js";
import { showValue } from "./value.js";

/**
 * @param {HTMLElement} root
 * @param {{position: string, names: string[]}} start what the page begins with, which the note is about
 * @param {(sentence: string) => void} say
 * @returns {(told: import("./steps.js").Told) => void} shows those of a position
 */
export function createTexts(root, start, say) {
  const form = byId("play-form", HTMLFormElement);
  const note = byId("note");
  for (const field of findAll(root, "[data-notation]")) {
    bindCopy(field, say);
  }

  /** @param {string} name */
  const sent = (name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));

  return (told) => {
    const { position, notations } = told;
    const isFirst = position === start.position;
    byId("text", HTMLTextAreaElement).value = position;
    for (const field of findAll(root, "[data-notation]:not([data-notation=''])")) {
      const written = notations[field.dataset.notation ?? ""];
      field.hidden = written === undefined;
      find(field, "input", HTMLInputElement).value = written ?? "";
    }
    showValue(byId("value"), told, start.names);
    note.hidden = !isFirst || !note.textContent;
    if (sent("position").value !== position) {
      sent("position").value = position;
      // Another position is another form: the key of a sent one leads to its match.
      sent("key").value = freshId();
    }
    linkTo(root, position);
    if (!isFirst || location.search) {
      history.replaceState(history.state, "", `${location.pathname}?p=${readable(position)}`);
    }
  };
}

/** Have the links of a page send a position. @param {HTMLElement} root @param {string} position */
export function linkTo(root, position) {
  for (const link of findAll(root, "[data-position-as]", HTMLAnchorElement)) {
    link.search = `?${link.dataset.positionAs}=${readable(position)}`;
  }
}

/** A position as a query has it, with what people can read left as it is. @param {string} text */
function readable(text) {
  return encodeURIComponent(text).replaceAll("%20", "+").replace(/%(3D|2C|3A|3B|5B|5D)/g, decodeURIComponent);
}
