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
  { files: ["static/**/*.js"], languageOptions: { globals: globals.browser } },
  { files: ["static/parts/theme.js", "static/phone/worker.js"], languageOptions: { sourceType: "script" } },
  { files: ["tests/js/**/*.js"], languageOptions: { globals: globals.nodeBuiltin } },
];
