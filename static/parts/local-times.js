/** Times in the time zone and the language of the reader; the server writes them in UTC. */

import { findAll } from "./elements.js";
import { locale } from "./locale.js";

/** @param {ParentNode} root */
export function showLocalTimes(root) {
  const format = new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "short" });
  for (const time of findAll(root, "time[data-local]", HTMLTimeElement)) {
    time.textContent = format.format(new Date(time.dateTime));
  }
}
