/** Dice that are due on the board: rolled by the browser, or chosen. */

import { find } from "../parts/elements.js";
import { facesIn, thrown } from "./dice.js";

/* global gettext, interpolate */

/** @typedef {import("./dice.js").Due} Due */

/**
 * @param {HTMLFormElement} form a button that rolls, a field for chosen dice and a button that takes them
 * @param {{onRoll: (faces: number[]) => void, onRefusal: (sentence: string) => void}} way
 */
export function bindDice(form, { onRoll, onRefusal }) {
  const field = find(form, "input", HTMLInputElement);
  /** @type {Due} */
  let due = { count: 0, sides: 0 };
  find(form, "button").addEventListener("click", () => onRoll(thrown(due)));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const faces = facesIn(field.value, due);
    if (faces) {
      field.value = "";
      onRoll(faces);
    } else {
      onRefusal(interpolate(gettext("Type %(count)s numbers from 1 to %(sides)s."), due, true));
    }
  });
  return {
    /** @param {Due|null} next */
    show(next) {
      due = next ?? due;
      form.hidden = next === null;
    },
  };
}
