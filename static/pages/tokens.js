/** The page of tokens: the new one, which is shown once, can be copied. */

import { bindCopy } from "../parts/share.js";

const made = document.getElementById("made");

if (made) {
  const said = document.getElementById("made-said");
  bindCopy(made, (sentence) => {
    said.textContent = sentence;
  });
  document.getElementById("made-title").focus();
}
