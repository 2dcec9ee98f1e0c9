/** What the code for browsers and its tests keep to, besides their types (tsconfig.json). Development only. */

import js from "@eslint/js";
import globals from "globals";

/** Text that would become markup. */
const MARKUP = [
  { selector: "AssignmentExpression[left.property.name=/^(innerHTML|outerHTML|srcdoc)$/]", message: "Use textContent." },
  { selector: "CallExpression[callee.property.name=/^(insertAdjacentHTML|write|writeln)$/]", message: "Use textContent." },
];
/** Names that every window has: whoever uses one has most likely forgotten to declare it. */
const FORGOTTEN = ["event", "name", "status", "open", "close", "find", "stop", "length", "parent", "top", "self", "origin"];
/** Storage may be full or disabled. */
const STORAGE = ["localStorage", "sessionStorage"].map((name) => ({ name, message: "Use net/storage.js." }));

/** The folders of static/ from the lowest layer to the highest: a module imports from its own folder and lower ones. */
const LAYERS = [
  "net", "parts", "forms", "words", "shapes", "boards", "chat", "dice", "match", "actions", "board", "players", "lobby",
  "moves", "match-page", "phone", "finished", "pages", "puzzles", "positions", "studies", "examples"
];

/**
 * The rules of a folder that may not import from some others, neither at once nor by `import.meta.resolve`.
 *
 * @param {string} folder
 * @param {string[]} forbidden
 */
function layer(folder, forbidden) {
  const pattern = `^\\.\\./(${forbidden.join("|")})/`;
  const message = "That folder is in a higher layer (LAYERS in eslint.config.js).";
  const selector = `CallExpression[callee.object.type="MetaProperty"][arguments.0.value=/${pattern.replaceAll("/", "\\u002F")}/]`;
  return {
    files: [`**/static/${folder}/**/*.js`],
    rules: {
      "no-restricted-imports": ["error", { patterns: [{ regex: pattern, message }] }],
      "no-restricted-syntax": ["error", ...MARKUP, { selector, message }],
    },
  };
}

/** A board is a pure function: neither page, nor clock, nor chance, nor modules other than shapes, words and its own. */
const BOARDS = {
  files: ["**/static/boards/**/*.js"],
  languageOptions: { globals: Object.fromEntries(Object.keys(globals.browser).map((name) => [name, "off"])) },
  rules: {
    "no-restricted-imports": ["error", { patterns: [{ regex: "^(?!((\\.\\./)+(shapes/(svg|names|roll)|words/sentences)|\\./\\w+(/\\w+)?)\\.js$)" }] }],
    "no-restricted-globals": ["error", "Date"],
    "no-restricted-properties": ["error", { object: "Math", property: "random" }],
    "no-restricted-syntax": ["error", ...MARKUP, "ImportExpression"],
  },
};

export default [
  js.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      curly: ["error", "multi-line"],
      eqeqeq: ["error", "always", { null: "ignore" }],
      // `{ unwanted, ...rest }` is how a field is left out.
      "no-unused-vars": ["error", { ignoreRestSiblings: true }],
      "array-callback-return": "error",
      "default-case-last": "error",
      "no-console": "error",
      "no-eval": "error",
      "no-implicit-globals": "error",
      "no-implied-eval": "error",
      "no-new-func": "error",
      "no-restricted-globals": ["error", ...FORGOTTEN],
      "no-restricted-syntax": ["error", ...MARKUP],
      "no-return-assign": "error",
      // An excuse from the types or from these rules, instead of mending what they found.
      "no-warning-comments": ["error", { terms: ["@ts-ignore", "@ts-nocheck", "@ts-expect-error", "eslint-disable"], location: "anywhere" }],
      "no-self-compare": "error",
      "no-throw-literal": "error",
      "no-unneeded-ternary": "error",
      "no-unused-expressions": "error",
      "no-useless-concat": "error",
      "no-useless-rename": "error",
      "no-useless-return": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
    },
  },
  {
    files: ["static/**/*.js"],
    languageOptions: { globals: globals.browser },
    rules: { "no-restricted-globals": ["error", ...FORGOTTEN, ...STORAGE] },
  },
  ...LAYERS.slice(0, -1).map((folder, at) => layer(folder, LAYERS.slice(at + 1))),
  BOARDS,
  {
    files: ["static/parts/theme.js", "static/phone/worker.js"],
    languageOptions: { sourceType: "script" },
    // They run before any module.
    rules: { "no-restricted-globals": ["error", ...FORGOTTEN] },
  },
  { files: ["tests/js/**/*.js"], languageOptions: { globals: globals.nodeBuiltin } },
];
