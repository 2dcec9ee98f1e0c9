/** The page of tokens: the new one, which is shown once, can be copied. */

import "./page.js";
import { byId } from "../parts/elements.js";
import { bindCopy } from "../parts/share.js";

const made = document.getElementById("made");

if (made) {
  const said = byId("made-said");
  bindCopy(made, (sentence) => {
    said.textContent = sentence;
  });
  byId("made-title").focus();
}
