/** Sheets to print: certificates of a tournament, and cards of pupils. */

import "./page.js";
import { byId, find, findAll } from "../parts/elements.js";

const row = byId("print");
find(row, "button").addEventListener("click", () => print());
row.hidden = findAll(document, "[data-printed] > *", HTMLElement).length === 0;
