/** Django's JavaScript catalogue as it behaves without a translation. */

globalThis.gettext = (sentence) => sentence;
globalThis.ngettext = (one, many, count) => (count === 1 ? one : many);
globalThis.interpolate = (sentence, values) => sentence.replace(/%\((\w+)\)s/g, (_, name) => String(values[name]));
