/** A form asks for as many names as play. */

import { findAll } from "../parts/elements.js";

/** @param {HTMLFormElement} form without scripts the names of more people than play are there, and stay unread */
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
