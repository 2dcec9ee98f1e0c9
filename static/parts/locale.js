/**
 * How this reader writes times and numbers in the language of the page: as their browser does, if it speaks that
 * language, with the customs of their country.
 *
 * @returns {string}
 */
export function locale() {
  const language = globalThis.document?.documentElement.lang || "en";
  return globalThis.navigator?.languages?.find((each) => each.split("-")[0] === language) ?? language;
}
