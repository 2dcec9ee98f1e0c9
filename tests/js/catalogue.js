/** Django's JavaScript catalogue as it behaves without a translation. */

globalThis.gettext = (sentence) => sentence;
globalThis.ngettext = (one, many, count) => (count === 1 ? one : many);
globalThis.interpolate = (sentence, values, named = false) =>
  named
    ? sentence.replace(/%\((\w+)\)s/g, (_, name) => String(values[name]))
    : values.reduce((words, value) => words.replace("%s", () => String(value)), sentence);
