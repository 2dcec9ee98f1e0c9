/** Shapes to elements: the fewest changes that make the document look like the shapes. */

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Map<string|number, {shape: import("./svg.js").Shape, element: Element}>} Drawn by key */

/** What was drawn into an element last. @type {WeakMap<Element, Drawn>} */
const drawn = new WeakMap();

/**
 * Make the children of `parent` look like `shapes`. Elements are kept by key, so that what is being
 * animated or focused survives.
 *
 * @param {Element} parent an <svg> or an element patched before
 * @param {import("./svg.js").Shape[]} shapes
 */
export function patch(parent, shapes) {
  const before = drawn.get(parent);
  /** @type {Drawn} */
  const after = new Map();
  const elements = shapes.map((shape, position) => {
    const key = shape.key ?? `${position} ${shape.tag}`;
    const last = before?.get(key);
    const known = last?.shape.tag === shape.tag && !after.has(key) ? last : null;
    const element = known?.element ?? document.createElementNS(SVG, shape.tag);
    if (known?.shape !== shape) {
      dress(element, known?.shape ?? null, shape);
    }
    after.set(key, { shape, element });
    return element;
  });
  // What is gone goes first: what stays would be moved before it, and the browser would build it anew.
  /** @type {Set<Node>} */
  const kept = new Set(elements);
  for (const child of [...parent.childNodes]) {
    if (!kept.has(child)) {
      child.remove();
    }
  }
  elements.forEach((element, position) => {
    if (parent.childNodes[position] !== element) {
      parent.insertBefore(element, parent.childNodes[position] ?? null);
    }
  });
  drawn.set(parent, after);
}

/** @param {Element} element @param {import("./svg.js").Shape|null} before @param {import("./svg.js").Shape} after */
function dress(element, before, after) {
  const old = before?.attrs ?? {};
  for (const name of Object.keys(old)) {
    if (!(name in after.attrs)) {
      element.removeAttribute(name);
    }
  }
  for (const [name, value] of Object.entries(after.attrs)) {
    if (old[name] !== value) {
      element.setAttribute(name, String(value));
    }
  }
  if (typeof after.children === "string") {
    if (before?.children !== after.children) {
      element.textContent = after.children;
    }
  } else {
    patch(element, after.children);
  }
}

/**
 * Give an attribute its value if it has another. To set what is there already costs the browser as much as a
 * change: of a view box, that it lays the whole drawing out anew.
 *
 * @param {Element} element
 * @param {string} name
 * @param {string} value
 */
export function setAttribute(element, name, value) {
  if (element.getAttribute(name) !== value) {
    element.setAttribute(name, value);
  }
}

/**
 * A small <svg> of its own around shapes, for a mark beside words.
 *
 * @param {import("./svg.js").Shape[]} shapes
 * @param {string} viewBox
 * @param {string} className
 */
export function picture(shapes, viewBox, className) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", viewBox);
  svg.setAttribute("class", className);
  svg.setAttribute("aria-hidden", "true");
  patch(svg, shapes);
  return svg;
}
