/** The list of courses: shows where one is in each. */

import "../pages/page.js";
import { lastingStorageOrNull } from "../net/storage.js";
import { lessonsDone } from "../parts/courses.js";
import { findAll } from "../parts/elements.js";
import { bindInstall } from "../phone/install.js";

/* global gettext, interpolate */

bindInstall();
const storage = lastingStorageOrNull();
for (const note of findAll(document, "[data-course]")) {
  const { course = "", count, done: known } = note.dataset;
  const done = Math.max(Number(known), lessonsDone(storage, course));
  if (done >= Number(count)) {
    note.nextElementSibling?.removeAttribute("hidden");
  } else if (done > 0) {
    note.textContent = interpolate(gettext("Lesson %(number)s of %(count)s"), { number: done + 1, count }, true);
  }
}
