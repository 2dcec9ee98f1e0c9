/** Lists of puzzles: marks those that are solved. */

import "../pages/page.js";
import { lastingStorageOrNull } from "../net/storage.js";
import { findAll } from "../parts/elements.js";
import { solvedPuzzles } from "./solved.js";

const solved = solvedPuzzles(lastingStorageOrNull());
for (const badge of findAll(document, "[data-solved-key]")) {
  badge.hidden = !solved.has(badge.dataset.solvedKey ?? "");
}
