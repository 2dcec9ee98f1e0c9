/** A preset sets the single rules of a form; rules that match no preset are "own". */

import { find, findAll } from "../parts/elements.js";

/** @typedef {Record<string, string>} Rules the value of each single rule, by the name of its select */

const OWN = "own";

/**
 * @param {HTMLFormElement} form contains templates/forms/_presets.html and _single_rules.html
 * @returns {{isOwn: () => boolean, suggest: (slug: string) => void}} `isOwn`: whether the rules match no preset;
 *   `suggest`: choose a preset unless the user has chosen rules
 */
export function bindPresetRules(form) {
  /** @type {Record<string, Rules>} */
  const presets = JSON.parse(form.dataset.presets ?? "");
  const selects = findAll(form, "select[name^=rule_]", HTMLSelectElement);
  // None where a position has the rules.
  const details = findAll(form, "#single-rules", HTMLDetailsElement);
  const preset = /** @type {RadioNodeList|HTMLSelectElement} */ (form.elements.namedItem("preset"));
  const chosen = () => preset.value;

  function fillIn() {
    const rules = presets[chosen()];
    if (rules) {
      selects.forEach((select) => {
        select.value = rules[select.name];
      });
    } else {
      details.forEach((each) => {
        each.open = true;
      });
    }
  }

  /** The preset with exactly the chosen rules. */
  function recognise() {
    /** @param {[string, Rules]} entry */
    const fits = ([, rules]) => selects.every((select) => rules[select.name] === select.value);
    preset.value = Object.entries(presets).find(fits)?.[0] ?? OWN;
  }

  /** Remove "As the rules above say", which is for browsers without scripts: here the rule itself is shown. */
  function dropOpenChoices() {
    const rules = presets[chosen()] ?? Object.values(presets)[0];
    for (const select of selects) {
      select.value ||= rules[select.name];
      find(select, "option[value='']").remove();
    }
  }

  let touched = false;

  /** @param {string} slug */
  function suggest(slug) {
    if (!touched) {
      preset.value = slug;
      fillIn();
    }
  }

  dropOpenChoices();
  recognise();
  form.addEventListener("change", ({ target }) => {
    if (selects.some((select) => select === target)) {
      touched = true;
      recognise();
    } else if (target instanceof Element && target.getAttribute("name") === "preset") {
      touched = true;
      fillIn();
    }
  });
  return { isOwn: () => chosen() === OWN, suggest };
}
