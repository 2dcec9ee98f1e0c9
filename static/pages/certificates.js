/** Certificates of a tournament, to print. */

import "./page.js";
import { byId, find, findAll } from "../parts/elements.js";

const row = byId("print");
find(row, "button").addEventListener("click", () => print());
row.hidden = findAll(document, ".certificate", HTMLElement).length === 0;
