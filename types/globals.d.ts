/** What Django's catalogue of sentences puts into every page, and tests/js/catalogue.js into tests. */

declare function gettext(sentence: string): string;
declare function ngettext(one: string, many: string, count: number): string;
declare function interpolate(sentence: string, words: object, named?: boolean): string;
