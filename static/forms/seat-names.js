/** Shows as many name fields as the match has players. */

import { findAll } from "../parts/elements.js";

/**
 * @param {HTMLFormElement} form without scripts it has a field for every possible player, and the server ignores the
 *   surplus
 */
export function bindSeatNames(form) {
  const names = findAll(form, "#names > .field");
  const ask = () => {
    const seats = Number(new FormData(form).get("seats"));
    names.forEach((field, seat) => {
      field.hidden = seat >= seats;
    });
  };
  ask();
  form.addEventListener("change", ask);
}
