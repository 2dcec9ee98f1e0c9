/** A preset fills the single rules of a form in, and rules that fit none are "own". */

const OWN = "own";

/**
 * @param {HTMLFormElement} form templates/tables/_presets.html and _single_rules.html stand in it
 * @returns {{isOwn: () => boolean}} whether the rules are no preset
 */
export function bindPresetRules(form) {
  const presets = JSON.parse(form.dataset.presets);
  const selects = /** @type {HTMLSelectElement[]} */ ([...form.querySelectorAll("select[name^=rule_]")]);
  const details = /** @type {HTMLDetailsElement} */ (form.querySelector("#single-rules"));
  const chosen = () => form.elements.preset.value;

  function fillIn() {
    const rules = presets[chosen()];
    if (rules) {
      selects.forEach((select) => {
        select.value = rules[select.name];
      });
    } else {
      details.open = true;
    }
  }

  /** The preset that has exactly the rules picked. */
  function recognise() {
    const fits = ([, rules]) => selects.every((select) => rules[select.name] === select.value);
    form.elements.preset.value = Object.entries(presets).find(fits)?.[0] ?? OWN;
  }

  /** "As the rules above say" is for browsers that run no scripts: here the rule itself is shown. */
  function dropOpenChoices() {
    const rules = presets[chosen()] ?? Object.values(presets)[0];
    for (const select of selects) {
      select.value ||= rules[select.name];
      select.querySelector("option[value='']").remove();
    }
  }

  dropOpenChoices();
  recognise();
  form.addEventListener("change", ({ target }) => {
    if (target.name === "preset") {
      fillIn();
    } else if (selects.includes(target)) {
      recognise();
    }
  });
  return { isOwn: () => chosen() === OWN };
}
