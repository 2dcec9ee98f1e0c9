/**
 * Updates a part of a page to fresh HTML of the server, element by element. Elements that stay keep their focus, their
 * listeners, their scroll position, what was typed or chosen in them, and whether they are open.
 *
 * An element stays if the fresh part has one with the same tag and key in the same parent. The key is the first of its
 * attributes in `KEYS`; elements without any are matched by their order. So give these a key that says what they are
 * about, never a number in a list: every fold (`<details id>`), and every row (`data-id`) that has a fold, a field or a
 * button, or that may move.
 */

const KEYS = ["id", "data-id", "action", "href", "name", "aria-labelledby"];

/** Attributes that belong to the reader or to scripts. */
const KEPT = new Set(["open", "data-sent", "data-resting"]);

/**
 * @param {HTMLElement} shown the part on the page
 * @param {HTMLElement} fresh the same part as the server renders it now; its elements are moved to the page
 */
export function morph(shown, fresh) {
  const focused = document.activeElement;
  const around = focused instanceof HTMLElement && shown.contains(focused) ? [focused, ...ancestors(focused)] : [];
  update(shown, fresh);
  // An element that was moved lost the focus; if it is gone, the next key must not press another one.
  const target = around.find((element) => element.isConnected);
  if (target && target !== document.activeElement) {
    if (target !== focused) {
      target.tabIndex = -1;
    }
    target.focus({ preventScroll: true });
  }
}

/** @param {HTMLElement} element */
function ancestors(element) {
  const found = [];
  for (let each = element.parentElement; each; each = each.parentElement) {
    found.push(each);
  }
  return found;
}

/** @param {Element} shown @param {Element} fresh */
function update(shown, fresh) {
  // A form keeps its key, so that two presses are one command.
  if (shown instanceof HTMLInputElement && shown.type === "hidden" && shown.name === "key") {
    return;
  }
  const restore = entered(shown);
  updateAttributes(shown, fresh);
  updateChildren(shown, fresh);
  restore();
}

/** @param {Element} shown @param {Element} fresh */
function updateAttributes(shown, fresh) {
  for (const { name } of [...shown.attributes]) {
    const inUse = KEPT.has(name) || (name === "tabindex" && shown === document.activeElement);
    if (!fresh.hasAttribute(name) && !inUse) {
      shown.removeAttribute(name);
    }
  }
  for (const { name, value } of fresh.attributes) {
    if (shown.getAttribute(name) !== value && !KEPT.has(name)) {
      shown.setAttribute(name, value);
    }
  }
}

/** @param {Element} shown @param {Element} fresh */
function updateChildren(shown, fresh) {
  const wanted = [...fresh.childNodes];
  const nodes = matched([...shown.childNodes], wanted);
  const staying = new Set(nodes);
  [...shown.childNodes].filter((node) => !staying.has(node)).forEach((node) => node.remove());
  let place = shown.firstChild;
  nodes.forEach((node, at) => {
    if (node === place) {
      place = place.nextSibling;
    } else {
      shown.insertBefore(node, place);
    }
    if (node instanceof Element && node !== wanted[at]) {
      update(node, /** @type {Element} */ (wanted[at]));
    } else if (node.nodeValue !== wanted[at].nodeValue) {
      node.nodeValue = wanted[at].nodeValue;
    }
  });
}

/**
 * For each wanted node the old one that stands for it, or itself.
 *
 * @param {ChildNode[]} old
 * @param {ChildNode[]} wanted
 */
function matched(old, wanted) {
  /** @type {Map<string, ChildNode[]>} */
  const byKey = new Map();
  for (const node of old) {
    byKey.set(keyOf(node), [...(byKey.get(keyOf(node)) ?? []), node]);
  }
  return wanted.map((node) => byKey.get(keyOf(node))?.shift() ?? node);
}

/** @param {ChildNode} node */
function keyOf(node) {
  const key = node instanceof Element ? KEYS.find((name) => node.hasAttribute(name)) : undefined;
  return key ? `${node.nodeName} ${/** @type {Element} */ (node).getAttribute(key)}` : node.nodeName;
}

/**
 * What the reader has entered in a field, to be restored after an update.
 *
 * @param {Element} field
 * @returns {() => void}
 */
function entered(field) {
  if (field instanceof HTMLInputElement && (field.type === "checkbox" || field.type === "radio")) {
    const checked = field.checked === field.defaultChecked ? null : field.checked;
    return () => void (field.checked = checked ?? field.defaultChecked);
  }
  if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) {
    const value = field.value === field.defaultValue ? null : field.value;
    return () => {
      if (field.value !== (value ?? field.defaultValue)) {
        field.value = value ?? field.defaultValue;
      }
    };
  }
  if (field instanceof HTMLSelectElement) {
    const { value } = field;
    const isChosen = field.selectedIndex !== usual(field);
    return () => {
      const again = isChosen ? [...field.options].findIndex((option) => option.value === value) : -1;
      field.selectedIndex = again < 0 ? usual(field) : again;
    };
  }
  return () => undefined;
}

/** The option that is selected unless the reader chooses another one. @param {HTMLSelectElement} field */
function usual({ options }) {
  return Math.max(0, [...options].findIndex((option) => option.defaultSelected));
}
