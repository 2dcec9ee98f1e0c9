/** Certificates of a tournament, to print. */

import "./page.js";
import { byId, find } from "../parts/elements.js";

const row = byId("print");
find(row, "button").addEventListener("click", () => print());
row.hidden = false;
