/**
 * How modules of static/ are found by a page in a test.
 *
 * Each page loads them anew, since some keep what is of one page only: the number of the page goes from a
 * module to those that it imports.
 */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = new URL("../../../", import.meta.url).href;
const STATIC = `${ROOT}static/`;

export async function resolve(specifier, context, next) {
  const asked = specifier.replace(/^(file:\/\/)?\/static\//, STATIC);
  const found = await next(asked, context);
  const page = /[?&]page=(\d+)/.exec(context.parentURL ?? "")?.[1];
  if (!page || !found.url.startsWith(STATIC) || /[?&]page=/.test(found.url)) {
    return found;
  }
  return { ...found, url: `${found.url}${found.url.includes("?") ? "&" : "?"}page=${page}` };
}

/** The text of each module, read once for all pages. @type {Map<string, string>} */
const sources = new Map();

export function load(url, context, next) {
  if (!url.startsWith(STATIC)) {
    return next(url, context);
  }
  const path = fileURLToPath(url);
  if (!sources.has(path)) {
    sources.set(path, readFileSync(path, "utf8"));
  }
  return { format: "module", source: sources.get(path), shortCircuit: true };
}
