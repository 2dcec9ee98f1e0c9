/**
 * The locale for times and numbers: the browser's variant of the page's language, with its region, if it has one.
 *
 * @returns {string}
 */
export function locale() {
  const language = globalThis.document?.documentElement.lang || "en";
  return globalThis.navigator?.languages?.find((each) => each.split("-")[0] === language) ?? language;
}
