/**
 * Required elements of a page. An error names the missing or mismatched one; query the document itself for optional
 * ones.
 */

/**
 * @overload
 * @param {string} id
 * @returns {HTMLElement}
 */
/**
 * @template {Element} E
 * @overload
 * @param {string} id
 * @param {new () => E} kind
 * @returns {E}
 */
/**
 * The element with an id.
 *
 * @param {string} id
 * @param {new () => Element} [kind]
 */
export function byId(id, kind = HTMLElement) {
  return checked(document.getElementById(id), `#${id}`, kind);
}

/**
 * @overload
 * @param {ParentNode} root
 * @param {string} selector
 * @returns {HTMLElement}
 */
/**
 * @template {Element} E
 * @overload
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => E} kind
 * @returns {E}
 */
/**
 * The first matching descendant.
 *
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => Element} [kind]
 */
export function find(root, selector, kind = HTMLElement) {
  return checked(root.querySelector(selector), selector, kind);
}

/**
 * @overload
 * @param {ParentNode} root
 * @param {string} selector
 * @returns {HTMLElement[]}
 */
/**
 * @template {Element} E
 * @overload
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => E} kind
 * @returns {E[]}
 */
/**
 * All matching descendants, possibly none.
 *
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => Element} [kind]
 */
export function findAll(root, selector, kind = HTMLElement) {
  return [...root.querySelectorAll(selector)].map((element) => checked(element, selector, kind));
}

/**
 * @overload
 * @param {ParentNode} root
 * @param {string} name
 * @returns {HTMLElement}
 */
/**
 * @template {Element} E
 * @overload
 * @param {ParentNode} root
 * @param {string} name
 * @param {new () => E} kind
 * @returns {E}
 */
/**
 * The descendant with `data-part="name"`.
 *
 * @param {ParentNode} root
 * @param {string} name
 * @param {new () => Element} [kind]
 */
export function part(root, name, kind = HTMLElement) {
  return find(root, `[data-part="${name}"]`, kind);
}

/**
 * A new copy of a template's element.
 *
 * @param {HTMLTemplateElement} template
 */
export function made(template) {
  const copy = template.content.firstElementChild?.cloneNode(true);
  return checked(copy ?? null, `#${template.id} *`, HTMLElement);
}

/**
 * The closest matching ancestor of an event's target, or null.
 *
 * @param {Event} event
 * @param {string} selector
 */
export function around(event, selector) {
  const found = event.target instanceof Element ? event.target.closest(selector) : null;
  return found instanceof HTMLElement ? found : null;
}

/**
 * @template {Element} E
 * @param {Node|null} element
 * @param {string} selector
 * @param {new () => E} kind
 * @returns {E}
 */
function checked(element, selector, kind) {
  if (!(element instanceof kind)) {
    throw new Error(`The page has no ${kind.name} ${selector}.`);
  }
  return element;
}
